#pragma once

#include "plenosr/image.h"
#include "plenosr/light_field.h"

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

}  // namespace plenosr
