#pragma once

#include <filesystem>
#include <string>

#include "plenosr/io.h"

namespace plenosr::app {

// Which map belongs to the reference view, and where it was found: "file", "lowres", "full", or
// "estimate" where there is none and the views have to tell.
struct DisparityChoice {
    std::filesystem::path file;
    std::string from;
    Image map;  // as read_disparity gives it
};
// `given` is --disparity: a map, or a folder of maps as `plenosr disparity --all` writes them;
// `from` is --disparity-from. Error(input) says how to supply a map.
DisparityChoice choose_disparity(const LightFieldIndex& index, ViewPosition reference,
                                 const std::filesystem::path& given, const std::string& from);

}  // namespace plenosr::app
