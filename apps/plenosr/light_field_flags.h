#pragma once

#include <string>

#include "flags.h"

namespace plenosr::app {

// Flags of the commands that read a light field.

// --view R,C; `values` also names other words that the command accepts.
Flag add_view(Flags app, std::string& view, const std::string& values,
              const std::string& description);
// --views NxN|…, the views that take part, around `around`.
Flag add_views(Flags app, std::string& views, const std::string& around);
// --disparity-from auto|lowres|full|estimate
Flag add_disparity_from(Flags app, std::string& from);

}  // namespace plenosr::app
