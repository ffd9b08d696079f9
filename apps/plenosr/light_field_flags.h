#pragma once

#include <string>
#include <vector>

#include "flags.h"
#include "plenosr/io.h"
#include "plenosr/view_order.h"

namespace plenosr::app {

// Flags of the commands that read a light field.

// --view R,C; `values` also names other words that the command accepts.
Flag add_view(Flags app, std::string& view, const std::string& values,
              const std::string& description);
// --views NxN|…, the views that take part, around `around`.
Flag add_views(Flags app, std::string& views, const std::string& around);
// --disparity-from auto|lowres|full|estimate
Flag add_disparity_from(Flags app, std::string& from);

// Puts the views in the order that their parallax shows, unless --order given. Adds a note if the
// order was wrong, or if the views do not tell it. Returns what was corrected. It reads views, so
// arguments are checked first.
ViewOrder put_in_order(LightFieldIndex& index, const OpenOptions& options, const Progress& progress,
                       std::vector<std::string>& notes);

// The position of --view, or the centre of the grid if it is empty. Error(input) if the light field
// has no such view.
ViewPosition reference_for(const std::string& view, const LightFieldIndex& index);

}  // namespace plenosr::app
