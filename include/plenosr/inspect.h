#pragma once

#include <string>
#include <vector>

#include "plenosr/io.h"
#include "plenosr/progress.h"

namespace plenosr {

// Something about a light field that a person should look at.
struct Finding {
    std::string
        kind;  // "unreadable", "size", "black", "dark", "duplicate", "order", "axes", "sign"
    std::vector<ViewPosition> views;  // that it is about; empty: all
    std::string text;                 // one sentence
};

// Reads every view once, a few at a time, and looks for
//   views that cannot be read, or have another size or number of channels than most;
//   views that are black, or much darker than most (vignetting at the corners of a lenslet's grid);
//   views that are equal pixel by pixel;
//   neighbours whose parallax runs against that of all others: they look swapped;
//   rows that show the parallax of columns: the axes look exchanged;
//   a disparity map whose sign is opposite to the parallax that the views show.
std::vector<Finding> inspect_light_field(const LightFieldIndex& index,
                                         const Progress& progress = {});

}  // namespace plenosr
