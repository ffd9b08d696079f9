#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "plenosr/io.h"

namespace plenosr::app {

// Flags of the commands that read a light field.

// --view R,C; `values` also names other words that the command accepts.
CLI::Option* add_view(CLI::App& app, std::string& view, const std::string& values,
                      const std::string& description);
// --views NxN|…, the views that take part, around `around`.
CLI::Option* add_views(CLI::App& app, std::string& views, const std::string& around);
// --disparity-from auto|lowres|full|estimate
CLI::Option* add_disparity_from(CLI::App& app, std::string& from);

// The position of --view, or the centre of the grid if it is empty. Error(input) if the light field
// has no such view.
ViewPosition reference_for(const std::string& view, const LightFieldIndex& index);

}  // namespace plenosr::app
