#pragma once

#include <algorithm>

#include "kernels/rounding.h"
#include "plenosr/image.h"

namespace plenosr {

// Bilinear value of a one-channel image; places outside see its border.
inline float bilinear_at(const Image& image, double x, double y) {
    x = std::clamp(x, 0.0, double(image.width - 1));
    y = std::clamp(y, 0.0, double(image.height - 1));
    const int x0 = floor_to_int(x);
    const int y0 = floor_to_int(y);
    const int x1 = std::min(x0 + 1, image.width - 1);
    const int y1 = std::min(y0 + 1, image.height - 1);
    const float fx = float(x - x0);
    const float fy = float(y - y0);
    return (1 - fy) * ((1 - fx) * image.at(y0, x0) + fx * image.at(y0, x1)) +
           fy * ((1 - fx) * image.at(y1, x0) + fx * image.at(y1, x1));
}

}  // namespace plenosr
