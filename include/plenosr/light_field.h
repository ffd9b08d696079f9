#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/image.h"

namespace plenosr PLENOSR_EXPORT {

// The position of a view on the camera plane: row downwards, column to the right, in steps between
// neighbouring views. Real numbers allow irregular rigs.
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

// The full grid of the views. Views may be missing.
struct ViewGrid {
    int first_row = 0;
    int first_col = 0;
    int rows = 0;
    int cols = 0;

    // The middle view; for an even number, the later of the two middle ones.
    ViewPosition centre() const {
        return {double(first_row + rows / 2), double(first_col + cols / 2)};
    }
    bool operator==(const ViewGrid&) const = default;
};

// Views of one scene with equal sizes and channels on a grid that may be incomplete.
struct LightField {
    ViewGrid grid;
    std::vector<View> views;
    // True if values beyond 0-255 were clipped, as in integer files and by degrade(): samples of 0
    // and 255 are then taken as clipped, or as impulses. False: every value was measured.
    // read_light_field() asks shows_clipping() for float files.
    bool clipped = true;

    int width() const { return views.empty() ? 0 : views.front().image.width; }
    int height() const { return views.empty() ? 0 : views.front().image.height; }
    int channels() const { return views.empty() ? 0 : views.front().image.channels; }

    const View* find(ViewPosition position) const;  // nullptr if the view is missing

    // Throws Error(input) unless there is at least one view, all views have equal sizes, 1 or 3
    // channels and finite values, and no position occurs twice.
    void validate() const;
};

struct PlacedView {
    ViewPosition position;
    ImageView image;
};

// A light field in memory of the caller: what every function that reads a light field takes. A
// LightField is converted implicitly. Copies share the memory.
struct LightFieldView {
    ViewGrid grid;
    std::vector<PlacedView> views;
    bool clipped = true;                // as LightField::clipped
    std::shared_ptr<const void> owner;  // of the memory, if this is to keep it alive

    LightFieldView() = default;
    LightFieldView(const LightField& light_field);  // NOLINT: wherever a LightField is read

    int width() const { return views.empty() ? 0 : views.front().image.width; }
    int height() const { return views.empty() ? 0 : views.front().image.height; }
    int channels() const { return views.empty() ? 0 : views.front().image.channels; }

    const PlacedView* find(ViewPosition position) const;  // nullptr if the view is missing
    void validate() const;                                // as LightField::validate()
};
// A view that owns the light field.
LightFieldView shared_view(LightField light_field);

// True if samples of 0 or of 255 stand alone among other values, as impulses and clipped noise do:
// at most one of their eight neighbours is equal. They must be one of 10^4 samples and one of 100
// samples of 0 and 255. Areas and lines of exact black or white, and the extremes of normalised
// data, are no sign of clipping.
bool shows_clipping(const LightFieldView& light_field);
bool shows_clipping(const std::vector<Image>& images);

// Corrects vignetting: multiplies every channel of every view by the number that gives it the mean
// of the reference.
void equalise_views(LightField& light_field, ViewPosition reference);

// The views that `--views` selects: "all", "NxN" around the reference (e.g. "3x3"), "cross5",
// "star17", or a list "R,C;R,C". Positions are those of the full grid. NxN, cross5 and star17 skip
// views that are not in `available`; a list that names such a view is an error.
std::vector<ViewPosition> select_views(const std::string& selection, ViewPosition reference,
                                       const std::vector<ViewPosition>& available);

ViewPosition parse_view_position(const std::string& text);  // "R,C"

}  // namespace PLENOSR_EXPORT
