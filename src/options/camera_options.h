#pragma once

#include "options/option_list.h"

namespace plenosr {

// The options of the simulated camera; degrade_options() contains them.
const std::vector<Option<CameraOptions>>& camera_options();

// --camera NAME: sets all values of a preset. It comes before the options that may change them, and
// after --scale, which the lens blur depends on.
Option<DegradeOptions> camera_preset_option();

}  // namespace plenosr
