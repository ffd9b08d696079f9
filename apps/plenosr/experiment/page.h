#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/plot.h"
#include "report.h"

namespace plenosr::app {

struct Column {
    std::string name;
    int decimals = 2;
};

struct Table {
    std::string name;  // of its CSV file, without extension
    std::string caption;
    std::vector<Column> columns;
    std::vector<std::vector<Json>> rows;  // numbers, words, or null
};

// The result of an experiment.
struct Page {
    std::string name;
    std::string title;
    std::string paper;               // the figure or table of the paper
    std::string command;             // that reproduces it
    std::vector<std::string> text;   // paragraphs: what was done
    std::vector<std::string> found;  // sentences: how it compares with the paper
    std::vector<std::string> missing;
    std::vector<std::string> made_with;  // version, commit, devices
    std::vector<Table> tables;
    std::vector<Figure> figures;
    double seconds = 0;
};

// Writes NAME.md, NAME.json, a CSV for each table, and the figures (SVG and PNG) into the folder.
// If gnuplot is not installed, the page says that figures are missing. Returns the file NAME.md.
std::filesystem::path write_page(Page& page, const std::filesystem::path& folder);

// One self-contained page of all experiments, whose pages are in FOLDER/NAME.
void write_html(const std::vector<Page>& pages, const std::filesystem::path& folder,
                const std::filesystem::path& file);

}  // namespace plenosr::app
