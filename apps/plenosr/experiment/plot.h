#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plenosr/image.h"

namespace plenosr::app {

// Descriptions of figures, which gnuplot draws.

struct Series {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
    bool marks_only = false;  // points without a line, e.g. the values of the paper
};

struct Plot {
    std::string x_label;
    std::string y_label;
    bool log_x = false;
    bool log_y = false;
    std::vector<Series> series;
    std::vector<std::pair<double, std::string>> x_ticks = {};  // empty: chosen by gnuplot
    bool from_zero = false;                                    // of the y axis
};

// One stacked bar for each group.
struct Bars {
    std::string y_label;
    std::vector<std::string> groups;
    struct Part {
        std::string name;
        std::vector<double> heights;  // by group
    };
    std::vector<Part> parts;
};

// Pictures side by side, with the same magnified part below each.
struct Pictures {
    struct Picture {
        std::string label;
        Image image;
    };
    std::vector<Picture> pictures;
    int part_x = 0;  // top left of the part, and its side; a side of 0 shows no part
    int part_y = 0;
    int part_side = 0;
};

struct Figure {
    std::string name;  // of its files, without extension
    std::string caption;
    std::variant<Plot, Bars, Pictures> content;
};

// Values as grey levels, from black (smallest) to white (largest).
Image grey_picture(const Image& values);

std::string contents_of(const std::filesystem::path& file);  // empty if it does not exist

bool gnuplot_is_installed();

// Writes FOLDER/NAME.svg and FOLDER/NAME.png. Error(output) if gnuplot fails.
void draw(const Figure& figure, const std::filesystem::path& folder);

}  // namespace plenosr::app
