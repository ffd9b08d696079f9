#pragma once

#include <vector>

#include "light_field/value_limits.h"
#include "plenosr/frames.h"

namespace plenosr {

// A frame prepared for registration: luma, impulses repaired, smoothed. Each level has half the
// size of the level before; pixel i of level l lies on pixel 2^l i of level 0.
struct Pyramid {
    std::vector<Image> levels;
};
Pyramid pyramid_of(const Image& frame, const ValueLimits& limits);

// reference(p) = gain frame(W p) + offset,   W a homography: reference -> frame
struct Alignment {
    std::array<double, 9> warp = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double gain = 1;
    double offset = 0;
};

// Coarse to fine: phase correlation on one level, then Gauss-Newton steps in the inverse
// compositional form. With r(p) = gain I(W p) + offset - T(p), the step (delta, da, db) minimises
//   sum_p w(p) (r + I da + db - grad T . (dDelta/d delta) delta)^2,     W <- W o Delta^-1
// where w are Tukey's weights for the spread of r. `motion` is neither automatic nor flow.
Alignment align(const Pyramid& reference, const Pyramid& frame, Registration motion);

// The steps of the finest level alone, from an alignment that is nearly right.
Alignment align_finely(const Pyramid& reference, const Pyramid& frame, Registration motion,
                       const Alignment& start);

}  // namespace plenosr
