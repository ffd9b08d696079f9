#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/reconstruct.h"

namespace plenosr {

struct AllViewsOptions {
    ReconstructOptions reconstruct;
    std::string views = "all";    // that take part in each view, around it: select_views()
    std::filesystem::path state;  // folder where finished views wait for the others, so that a run
                                  // that was killed goes on where it stood; empty: nowhere
    std::vector<ViewPosition> left_out;  // views that help no other one, and get help from none
};

struct AllViewsResult {
    struct Row {
        ViewPosition position;
        bool resumed = false;  // found in the state folder
        double seconds = 0;
        int iterations = 0;
    };
    LightField light_field;        // super-resolved; grid and order of the input
    std::vector<Image> disparity;  // per view, low resolution or full size as given
    std::vector<Row> views;        // in the same order
    ReconstructResult centre;  // how it went there, without its images: noise, lambda, device …
    double wall_seconds = 0;
};

// Super-resolves every view, each with its own disparity: the centre first, then outwards. What
// views share is done once: the noise and what follows from it are those of the centre, and every
// view starts from the result of its nearest finished neighbour, moved by the disparity.
// `disparity` holds one map per view in the order of the views; empty ones are made from the
// nearest view that has one (z-buffered splat). Throws Cancelled; finished views stay in the state
// folder, which remove_state() removes.
AllViewsResult reconstruct_all(const LightField& light_field, const std::vector<Image>& disparity,
                               const AllViewsOptions& options, const Progress& progress = {});
void remove_state(const std::filesystem::path& state);

}  // namespace plenosr
