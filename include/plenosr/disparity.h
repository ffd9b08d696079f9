#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"

namespace plenosr {

// Disparity maps are one-channel images. Sign and unit:
//   the point at (x, y) of the map's own view is seen at (x - u d, y - v d) in the view that lies
//   u columns and v rows further; d is in pixels *of the map's own grid* per step between views.
// So near points have larger d, and a map's size tells its unit.

// Every scale-th value from the top left, divided by the scale: the map of the decimated view.
Image reduce_disparity(const Image& disparity, int scale);

// The inverse: bilinear interpolation, registered to the top-left grid, multiplied by the scale.
Image enlarge_disparity(const Image& disparity, int scale, int width, int height);

// Refuses maps of another size than the views or the result, and values that are not finite:
// Error(input) that names `name`.
void require_disparity(const Image& disparity, int low_width, int low_height, int scale,
                       const std::string& name);

// Brings a map to the size of the high-resolution image: a low-resolution map is enlarged, a
// full-size one kept; what require_disparity() refuses is refused.
Image disparity_at_full_size(const Image& disparity, int low_width, int low_height, int scale,
                             const std::string& name);

// Two disparities belong to one surface when they differ by less than this, in pixels per step.
inline constexpr float same_surface = 0.2F;

// The disparity of the view u columns and v rows away, from the reference's map: z-buffered
// forward splat (the nearer surface wins), holes filled from the background.
struct ViewDisparity {
    Image disparity;  // d_k on view k's own grid
    Image visible;    // 1 where view k's pixel is seen in the reference, else 0 (occluded there,
                      // a hole of the splat, or outside the reference's frame)
};
ViewDisparity disparity_of_view(const Image& reference_disparity, double u, double v);
// … of a part of that view: `grid` in the coordinates of the given map, which it may leave.
ViewDisparity disparity_of_view(const Image& reference_disparity, double u, double v,
                                const Box& grid);

// ---- estimated from the views themselves --------------------------------------------------------
struct DisparityInterval {
    double min = 0;  // pixels per step between views
    double max = 0;
};

// Every option has a default, a unit and a reason: disparity_options() in plenosr/options.h lists
// them.
struct DisparityOptions {
    std::optional<DisparityInterval> range;  // not set: found in the views
    int labels = 64;                         // planes of the sweep
    int scale = 1;  // by which the views are to be super-resolved: how much they are aliased
    std::string device = "cpu";
    int threads = 0;
    std::size_t memory_limit = 0;  // bytes; 0: no limit

    void validate() const;  // throws Error(invalid_option): field, value, rule
};

struct DisparityResult {
    Image disparity;   // of the reference view, at the size of the views
    Image confidence;  // in [0, 1]: 0 where the views tell nothing
    DisparityInterval range;
    double noise = 0;     // standard deviation in grey levels, estimated from the reference view
    double impulses = 0;  // fraction of pixels, likewise
    double seconds = 0;
    double sweep_seconds = 0;         // of these, the matching at full size
    double nanoseconds_per_cost = 0;  // of the matching, per view, label and pixel
    std::string device;
    std::vector<std::string> notes;  // what a user should know
    // Views that no map explains: they are not where they are said to be, or show something else.
    // The map was made without them, and nothing else should use them either.
    std::vector<ViewPosition> left_out;

    double mean_confidence() const;
};

// The light field without those views.
LightField without(const LightField& light_field, const std::vector<ViewPosition>& left_out);

// The disparity of the view `reference` by a plane sweep over all views (docs/mathematics.md). Any
// number of views at any positions; with fewer than two, or where the views show nothing, the map
// is constant and the confidence 0. Cancelled if `progress` says so.
DisparityResult estimate_disparity(const LightField& light_field, ViewPosition reference,
                                   const DisparityOptions& options, const Progress& progress = {});

// The disparities of every view, consistent with each other: each view's own estimate is compared
// with the reference's map seen from there. Where both agree, or only one of them knows, that is
// the map; where they differ, the more confident one stays.
struct ViewEstimate {
    ViewPosition position;
    Image disparity;
    Image confidence;
    Image occluded;        // 1 where the reference does not see what the view sees, else 0
    double agreement = 1;  // of the pixels whose place the reference sees: how many agreed, before
                           // the two maps were made one
};
struct DisparityOfViews {
    DisparityResult reference;        // what was found there first; times are of the whole job
    std::vector<ViewEstimate> views;  // as in the light field
    double agreement = 1;             // mean over the other views, before …
    double agreement_after = 1;       // … and after
};
DisparityOfViews estimate_disparity_of_views(const LightField& light_field, ViewPosition reference,
                                             const DisparityOptions& options,
                                             const Progress& progress = {});

// Goes from each pixel of a view's map to the reference's, u columns and v rows back, and compares.
struct CrossCheck {
    Image agrees;          // 1 where both differ by less than `agreeing_disparity`
    Image occluded;        // 1 where the reference shows something nearer there
    double agreement = 1;  // share of `agrees` among the pixels whose place is in the frame and not
                           // hidden by something clearly nearer
};
inline constexpr double agreeing_disparity = 0.1;  // pixels per step
CrossCheck cross_check(const Image& view_map, const Image& reference_map, double u, double v);

}  // namespace plenosr
