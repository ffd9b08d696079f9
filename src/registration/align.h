#pragma once

#include <vector>

#include "plenosr/frames.h"

namespace plenosr {

// A picture as registration sees it: luma, impulses repaired, smoothed, and half as large from
// level to level; pixel i of level l lies on pixel 2^l i of level 0.
struct Pyramid {
    std::vector<Image> levels;
};
Pyramid pyramid_of(const Image& frame);

// reference(p) = gain frame(W p) + offset,   W a homography: reference -> frame
struct Alignment {
    std::array<double, 9> warp = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double gain = 1;
    double offset = 0;
};

// Coarse to fine: phase correlation on the smallest level, then Gauss-Newton in the inverse
// compositional form: with r(p) = gain I(W p) + offset - T(p), the step (delta, da, db) minimises
//   sum_p w(p) (r + I da + db - grad T . (dDelta/d delta) delta)^2,     W <- W o Delta^-1
// w Tukey's weights for the spread of r. `what` is translation, affine or homography.
Alignment align(const Pyramid& reference, const Pyramid& frame, Registration what);

}  // namespace plenosr
