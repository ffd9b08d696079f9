#pragma once

#include <algorithm>

#include "kernels/pixel.h"
#include "kernels/rounding.h"
#include "plenosr/disparity.h"

namespace plenosr {

// The disparity at a place between pixels (kernels/pixel.h). The border is replicated.
inline float disparity_at(const Image& map, double x, double y) {
    const int x0 = floor_to_int(x);
    const int y0 = floor_to_int(y);
    const int left = std::clamp(x0, 0, map.width - 1);
    const int right = std::clamp(x0 + 1, 0, map.width - 1);
    const int top = std::clamp(y0, 0, map.height - 1);
    const int bottom = std::clamp(y0 + 1, 0, map.height - 1);
    return disparity_between(map.at(top, left), map.at(top, right), map.at(bottom, left),
                             map.at(bottom, right), float(x - x0), float(y - y0), same_surface);
}

// The disparities at the places of the low-resolution pixels, in the unit of the map.
Image disparity_at_samples(const Image& disparity, const SamplingGrid& sampling);

}  // namespace plenosr
