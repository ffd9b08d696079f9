#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plenosr/image.h"

namespace plenosr::app {

// What a figure shows. gnuplot draws it; these are descriptions.

struct Series {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
    bool marks_only = false;  // no line: points of others, such as the paper's
};

struct Plot {
    std::string x_label;
    std::string y_label;
    bool log_x = false;
    bool log_y = false;
    std::vector<Series> series;
    std::vector<std::pair<double, std::string>> x_ticks = {};  // empty: gnuplot's own
    bool from_zero = false;                                    // the y axis
};

// One bar for each group, made of parts one upon the other.
struct Bars {
    std::string y_label;
    std::vector<std::string> groups;
    struct Part {
        std::string name;
        std::vector<double> heights;  // by group
    };
    std::vector<Part> parts;
};

// Pictures side by side, and below each the same part of it, magnified.
struct Pictures {
    struct Picture {
        std::string label;
        Image image;
    };
    std::vector<Picture> pictures;
    int part_x = 0;  // top left of the part, and its side; 0: no part is shown
    int part_y = 0;
    int part_side = 0;
};

struct Figure {
    std::string name;  // of its files, without an ending
    std::string caption;
    std::variant<Plot, Bars, Pictures> content;
};

// A picture that shows numbers, from black (the least) to white (the largest).
Image grey_picture(const Image& values);

std::string contents_of(const std::filesystem::path& file);  // empty: there is none

bool gnuplot_is_installed();

// Writes FOLDER/NAME.svg and FOLDER/NAME.png. Error(output) where gnuplot fails.
void draw(const Figure& figure, const std::filesystem::path& folder);

}  // namespace plenosr::app
