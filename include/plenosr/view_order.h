#pragma once

#include <string>

#include "plenosr/export.h"
#include "plenosr/io.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"

namespace plenosr PLENOSR_EXPORT {

// What is wrong with the order in which the views were numbered, as their parallax shows: from one
// column to the next the picture must move sideways, from one row to the next up or down, and
// nearer points must move further to the left, or up, than those behind them.
struct ViewOrder {
    bool transposed = false;     // rows and columns are exchanged
    bool rows_mirrored = false;  // then: rows count from the bottom
    bool cols_mirrored = false;  // columns count from the right
    bool map_inverted = false;   // the stored disparity map has the opposite sign
    bool decided = true;       // false: the order cannot be determined, and nothing is wrong above
    bool sign_decided = true;  // false: no occlusions show which points are nearer
    std::string note;          // one sentence on what is wrong or undecided; else empty

    bool is_right() const {
        return !transposed && !rows_mirrored && !cols_mirrored && !map_inverted;
    }
};

// Examines up to 5 x 5 views around the centre and, if there is one, the centre's map (or an empty
// image). Needs two rows and two columns; other light fields are right.
ViewOrder find_view_order(const LightFieldView& views, const Image& map);
ViewOrder find_view_order(const LightFieldIndex& index, const Progress& progress = {});

// The index with the positions of the views, and the sign of the maps, put right.
LightFieldIndex in_right_order(LightFieldIndex index, const ViewOrder& order);

}  // namespace PLENOSR_EXPORT
