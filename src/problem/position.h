#pragma once

#include <algorithm>

#include "kernels/rounding.h"

namespace plenosr {

// A position in the image, stored as whole pixel plus fraction: a float alone would lose 5e-4 of a
// pixel at width 4000.
struct Position {
    int x = 0;
    int y = 0;
    float fx = 0;  // [0, 1)
    float fy = 0;

    static Position at(double x, double y) {
        constexpr double far_outside = 1e9;  // far beyond the border, and int holds it
        x = std::clamp(x, -far_outside, far_outside);
        y = std::clamp(y, -far_outside, far_outside);
        const int x0 = floor_to_int(x);
        const int y0 = floor_to_int(y);
        Position p{x0, y0, float(x - x0), float(y - y0)};
        if (p.fx >= 1.0F) p.fx = 0.0F, ++p.x;
        if (p.fy >= 1.0F) p.fy = 0.0F, ++p.y;
        return p;
    }
};

}  // namespace plenosr
