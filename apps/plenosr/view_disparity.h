#pragma once

#include <filesystem>
#include <string>

#include "plenosr/io.h"

namespace plenosr::app {

// The map of one view among the files of `folder`, which has the layout of `index`; empty if there
// is none.
std::filesystem::path view_disparity_file(const LightFieldIndex& index,
                                          const std::filesystem::path& folder,
                                          ViewPosition position);

// Which map belongs to the reference view, and where it was found: "file", "lowres" or "full".
struct DisparityChoice {
    std::filesystem::path file;
    std::string from;
};
// `given` is --disparity, `from` is --disparity-from. Error(input) says how to supply a map.
DisparityChoice choose_disparity(const LightFieldIndex& index, ViewPosition reference,
                                 const std::filesystem::path& given, const std::string& from);

}  // namespace plenosr::app
