#pragma once

#include <string>

#include "plenosr/io.h"
#include "plenosr/reconstruct.h"
#include "report.h"

namespace plenosr::app {

// The arguments of `plenosr reconstruct --view all`.
struct AllViewsJob {
    std::string output;  // a folder
    std::string views;
    std::string disparity;  // a folder of maps; empty: none given
    std::string disparity_from;
    std::string truth;  // a light field of full resolution; empty: none
    std::string bits;
    PixelFormat format = PixelFormat::bits8;
    ReconstructOptions options;
    std::vector<std::string> notes;  // of the program
    OpenOptions open;                // by which the input was opened
};

void reconstruct_every_view(LightFieldIndex index, AllViewsJob job, const Report& report);

}  // namespace plenosr::app
