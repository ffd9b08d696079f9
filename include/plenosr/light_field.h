#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// Where a view sits on the camera plane: row downwards, column to the right, in steps between
// neighbouring views. Real numbers, since irregular rigs exist.
struct ViewPosition {
    double row = 0;
    double col = 0;
    bool operator==(const ViewPosition&) const = default;
};

std::string to_string(ViewPosition position);  // "4,4"

struct View {
    ViewPosition position;
    Image image;
};

// The full grid that the views belong to. Views may be missing from it.
struct ViewGrid {
    int first_row = 0;
    int first_col = 0;
    int rows = 0;
    int cols = 0;

    // The middle view; of an even number, the later of the two middle ones.
    ViewPosition centre() const {
        return {double(first_row + rows / 2), double(first_col + cols / 2)};
    }
    bool operator==(const ViewGrid&) const = default;
};

// Views of one scene, all of one size and number of channels, on a possibly incomplete grid.
struct LightField {
    ViewGrid grid;
    std::vector<View> views;

    int width() const { return views.empty() ? 0 : views.front().image.width; }
    int height() const { return views.empty() ? 0 : views.front().image.height; }
    int channels() const { return views.empty() ? 0 : views.front().image.channels; }

    const View* find(ViewPosition position) const;  // nullptr where the view is missing

    // Throws Error(input) unless there is a view, all have one size, 1 or 3 channels and finite
    // values, and no position occurs twice.
    void validate() const;
};

// Evens out the brightness of views (vignetting): every channel of every view is multiplied by the
// one number that gives it the reference's mean.
void equalise_views(LightField& light_field, ViewPosition reference);

// Which views take part, for `--views`: "all", "3x3" … (NxN around the reference), "cross5",
// "star17", or a list "R,C;R,C". Positions are those of the full grid. Views that `available`
// does not hold are left out of NxN, cross5 and star17; naming a missing one in a list is an error.
std::vector<ViewPosition> select_views(const std::string& selection, ViewPosition reference,
                                       const std::vector<ViewPosition>& available);

ViewPosition parse_view_position(const std::string& text);  // "R,C"

}  // namespace plenosr
