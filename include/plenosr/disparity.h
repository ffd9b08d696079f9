#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"
#include "plenosr/sampling.h"

namespace plenosr PLENOSR_EXPORT {

// Disparity maps are one-channel images. Sign and unit:
//   the point at (x, y) of the map's own view is seen at (x - u d, y - v d) in the view that lies
//   u columns and v rows further; d is in pixels *of the map's own grid* per step between views.
// Near points have larger d. The size of a map defines its unit.

// The map of the decimated view: the values at its pixels' places, divided by the scale. Between
// pixels of one surface they are interpolated; across an edge the nearest pixel's is taken.
Image reduce_disparity(const Image& disparity, const SamplingGrid& sampling);

// The inverse: bilinear interpolation, registered to the same grid, times the scale.
Image enlarge_disparity(const Image& disparity, const SamplingGrid& sampling, int width,
                        int height);

// Throws Error(input) that names `name` if the map has neither the size of the views nor that of
// the result, or a value that is not finite.
void require_disparity(const Image& disparity, int low_width, int low_height, int scale,
                       const std::string& name);

// The map at the size of the high-resolution image: a low-resolution map is enlarged, a full-size
// one is kept. Throws as require_disparity() does.
Image disparity_at_full_size(const Image& disparity, int low_width, int low_height,
                             const SamplingGrid& sampling, const std::string& name);

// Two disparities of a map belong to one surface if they differ by less than this, in pixels of the
// map's own grid per step. Reconstruction uses it on full-size maps. Scaling it by the scale there
// gains 0.1 to 0.4 dB at x2 and loses up to 1.6 dB at x4 (boardgames, cotton, noise 1/1).
inline constexpr float same_surface = 0.2F;

// The disparity of the view u columns and v rows away, from the reference's map: a z-buffered
// forward splat (the nearer surface wins) with holes filled from the background.
struct ViewDisparity {
    Image disparity;  // d_k on view k's own grid
    Image visible;    // 1 where view k's pixel is seen in the reference, else 0 (occluded there,
                      // a hole of the splat, or outside the reference)
};
ViewDisparity disparity_of_view(const Image& reference_disparity, double u, double v);
// The same for a part of that view; `grid` is in the coordinates of the given map, and may exceed
// it.
ViewDisparity disparity_of_view(const Image& reference_disparity, double u, double v,
                                const Box& grid);

// ---- estimated from the views themselves --------------------------------------------------------
struct DisparityInterval {
    double min = 0;  // pixels per step between views
    double max = 0;
};

class DevicePool;  // plenosr/devices.h

// Every option has a default, a unit and a reason: disparity_options() in plenosr/options.h lists
// them.
struct DisparityOptions {
    std::optional<DisparityInterval> range;  // not set: estimated from the views
    int labels = 64;                         // planes of the sweep
    int scale = 1;  // factor of the later super-resolution: how much the views are aliased
    std::string device = "cpu";
    std::shared_ptr<DevicePool> devices;  // as in ReconstructOptions
    int threads = 0;
    std::size_t memory_limit = 0;  // bytes; 0: what this process may use
    bool force = false;            // go on if most views do not fit: too_many_left_out()

    void validate() const;  // throws Error(invalid_option): field, value, rule
};

struct DisparityResult {
    Image disparity;   // of the reference view, at the size of the views
    Image confidence;  // in [0, 1]; 0: the views do not determine the disparity
    DisparityInterval range;
    double noise = 0;     // standard deviation in grey levels, estimated from the reference view
    double impulses = 0;  // fraction of pixels, likewise
    double seconds = 0;
    double sweep_seconds = 0;         // the part of it for matching at full size
    double nanoseconds_per_cost = 0;  // of the matching, per view, label and pixel
    std::string device;
    std::vector<std::string> notes;  // messages for the user
    // Views that no map explains: their position is wrong, or they show something else. The map was
    // made without them, and they should not be used for anything else either.
    std::vector<ViewPosition> left_out;
    // Views that differ from the reference, but show too little of it to judge them. They took
    // part.
    std::vector<ViewPosition> not_judged;

    Termination termination = Termination::not_run;

    double mean_confidence() const;
};

// Without more than a third of the views a result deserves a warning; without more than two thirds
// it is refused unless options.force is set.
bool many_left_out(std::size_t left_out, std::size_t views);
bool too_many_left_out(std::size_t left_out, std::size_t views);

// The light field without these views.
LightFieldView without(const LightFieldView& light_field,
                       const std::vector<ViewPosition>& left_out);

// The disparity of the view `reference` by a plane sweep over all views (docs/mathematics.md).
// Accepts any number of views at any positions. With fewer than two views, or without parallax, the
// map is constant and the confidence 0. Error(input) if too many views are
// left out.
DisparityResult estimate_disparity(const LightFieldView& light_field, ViewPosition reference,
                                   const DisparityOptions& options, const Progress& progress = {});

// The disparities of all views, consistent with each other. The own estimate of each view is
// compared with the reference's map as seen from there. Where both agree their mean is taken, where
// they differ the more confident one, and where one has a hole the other.
struct ViewEstimate {
    ViewPosition position;
    Image disparity;
    Image confidence;
    Image occluded;        // 1 where the reference does not see the view's pixel, else 0
    double agreement = 1;  // fraction of the pixels seen by the reference whose two disparities
                           // agreed before they were merged
};
struct DisparityOfViews {
    DisparityResult reference;        // its first estimate; the times are those of the whole job
    std::vector<ViewEstimate> views;  // in the order of the light field
    double agreement = 1;             // mean over the other views, before merging
    double agreement_after = 1;       // mean over the other views, after merging
    Termination termination = Termination::not_run;
};
DisparityOfViews estimate_disparity_of_views(const LightFieldView& light_field,
                                             ViewPosition reference,
                                             const DisparityOptions& options,
                                             const Progress& progress = {});

// Compares each pixel of a view's map with the reference's map at the place it shows; the view lies
// u columns and v rows from the reference.
struct CrossCheck {
    Image agrees;          // 1 where they differ by less than `agreeing_disparity`
    Image occluded;        // 1 where the reference shows something nearer there
    double agreement = 1;  // fraction of `agrees` among the pixels whose place lies in the
                           // reference and is not hidden by something clearly nearer
};
inline constexpr double agreeing_disparity = 0.1;  // pixels per step
CrossCheck cross_check(const Image& view_map, const Image& reference_map, double u, double v);

}  // namespace PLENOSR_EXPORT
