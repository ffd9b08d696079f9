#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/metrics.h"
#include "plenosr/reconstruct.h"
#include "report.h"
#include "view_disparity.h"

namespace plenosr::app {

// All that the report of `plenosr reconstruct` is made from.
struct ReconstructReport {
    std::string output;
    std::string bits;
    ReconstructOptions options;
    ViewPosition reference;
    bool explain = false;
    std::vector<ViewPosition> views;
    DisparityChoice disparity;
    ReconstructResult result;
    double seconds = 0;              // without reading and writing
    std::optional<Quality> initial;  // where a truth was given
    std::optional<Quality> final;
};

Json json_of(const ReconstructReport& report);
std::string summary_of(const ReconstructReport& report);
std::string details_of(const ReconstructReport& report);  // its lines on quality, tiles, choices
// "cpu …: 12 tiles of 1024 x 896 pixels, overlap 32, direct, estimated memory 480 MiB"
std::string tiles_line(const TilesReport& tiles);

}  // namespace plenosr::app
