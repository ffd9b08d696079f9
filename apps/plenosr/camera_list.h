#pragma once

#include <string>

namespace plenosr::app {

// The presets of `degrade --camera` with their values, for its help.
std::string camera_list();

}  // namespace plenosr::app
