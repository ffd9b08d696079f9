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

// The contents of the report of `plenosr reconstruct`.
struct ReconstructReport {
    std::string output;
    std::string bits;
    ReconstructOptions options;
    ViewPosition reference;
    bool explain = false;
    std::vector<ViewPosition> views;  // that were asked for
    std::vector<std::string> notes;   // of the program; those of the library are in `result`
    DisparityChoice disparity;
    ReconstructResult result;
    double seconds = 0;              // without reading and writing
    std::optional<Quality> bicubic;  // of the enlarged reference, if a truth is given
    std::optional<Quality> initial;
    std::optional<Quality> final;
};

Json json_of(const ReconstructReport& report);
std::string summary_of(const ReconstructReport& report);
// The lines on quality, tiles, explanation and notes, for views and for frames.
std::string details_of(const ReconstructReport& report);
// The views that were asked for, without those that the disparity estimation rejected.
std::vector<ViewPosition> views_used(const ReconstructReport& report);
// The notes of the program, of the reconstruction and of the disparity estimation.
std::vector<std::string> all_notes(const ReconstructReport& report);
// "cpu: 12 tiles of 1024 x 896 pixels, overlap 32, direct normal operator, estimated memory …"
std::string tiles_line(const TilesReport& tiles);

}  // namespace plenosr::app
