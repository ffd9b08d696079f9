#pragma once

#include <string>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/io.h"
#include "plenosr/progress.h"

namespace plenosr PLENOSR_EXPORT {

// A possible problem of a light field.
struct Finding {
    // "unreadable", "size", "black", "dark", "duplicate", "order", "axes" or "sign"
    std::string kind;
    std::vector<ViewPosition> views;  // the affected views; empty: all
    std::string text;                 // one sentence
};

// Reads every view once, a few at a time, and reports
//   views that cannot be read, or whose size or number of channels differs from most;
//   views that are black, or much darker than most (vignetting at the corners of a lenslet's grid);
//   views with identical pixels;
//   neighbours whose parallax is opposite to that of the others: they look swapped;
//   rows that show the parallax of columns: the axes look exchanged;
//   a disparity map whose sign is opposite to the parallax of the views.
std::vector<Finding> inspect_light_field(const LightFieldIndex& index,
                                         const Progress& progress = {});

}  // namespace PLENOSR_EXPORT
