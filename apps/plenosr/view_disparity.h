#pragma once

#include <filesystem>
#include <string>

#include "plenosr/io.h"
#include "plenosr/view_order.h"

namespace plenosr::app {

// The map of the reference view and its source: "file", "lowres", "full", or "estimate" if there is
// none and it has to be estimated from the views.
struct DisparityChoice {
    std::filesystem::path file;
    std::string from;
    Image map;  // as read_disparity() returns it; empty for "estimate"
};
// `given` is --disparity: a map, or a folder of maps as `plenosr disparity --all` writes them;
// `from` is --disparity-from; `order` is what was corrected in `index`, which holds for the light
// field that it was made from as well. Throws Error(input) if the map is missing.
DisparityChoice choose_disparity(const LightFieldIndex& index, ViewPosition reference,
                                 const std::filesystem::path& given, const std::string& from,
                                 const ViewOrder& order = {});

}  // namespace plenosr::app
