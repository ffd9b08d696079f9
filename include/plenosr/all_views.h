#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/reconstruct.h"

namespace plenosr PLENOSR_EXPORT {

struct AllViewsOptions {
    ReconstructOptions reconstruct;
    std::string views = "all";  // the views used for each view, relative to it: select_views()
    bool estimated = false;     // the maps are estimates: they are corrected as in reconstruct()
    // Folder that stores finished views, so that an interrupted run can resume; empty: none.
    std::filesystem::path state;
    // Views that do not fit the others: each is reconstructed from itself alone and is not used for
    // any other view.
    std::vector<ViewPosition> left_out;

    void validate() const;  // throws Error(invalid_option), as ReconstructOptions does
};

struct AllViewsResult {
    struct Row {
        ViewPosition position;
        bool resumed = false;  // loaded from the state folder
        double seconds = 0;
        int iterations = 0;
        int refinements = 0;                  // rounds that corrected the view's map
        std::optional<SelfCheck> self_check;  // not of views that were loaded
    };
    LightField light_field;        // super-resolved; grid and order of the input
    std::vector<Image> disparity;  // one map per view at full size, as the last round used it
    std::vector<Row> views;        // in the order of the input
    ReconstructResult centre;      // the report of the centre view, without its images
    Termination termination = Termination::not_run;  // cancelled: the light field is empty
    double wall_seconds = 0;
};

// Super-resolves every view with its own disparity, from the centre outwards. The noise and the
// parameters that depend on it, and a blur that is automatic, are estimated once, at the centre.
// Every other view starts from the result of its nearest finished neighbour, warped by the
// disparity. `disparity` has one map per view, in the order of the views; an empty map is made from
// the nearest view that has one (z-buffered splat). Maps are corrected by the results in rounds, as
// reconstruct() does it; a view whose neighbour has a corrected map starts from that one and needs
// one round. If it is cancelled, finished views stay in the state folder.
AllViewsResult reconstruct_all(const LightFieldView& light_field,
                               const std::vector<Image>& disparity, const AllViewsOptions& options,
                               const Progress& progress = {});
// Removes the state folder after the results have been saved.
void remove_state(const std::filesystem::path& state);

}  // namespace PLENOSR_EXPORT
