#pragma once

#include "problem/geometry.h"

namespace plenosr {

// Standard deviations in grey levels, from the residuals r = y - A pilot where the pixel is
// visible, not an extreme (0 and 255 may be impulses or clipped) and its prediction is 1.5 sigma
// away from the limits; each is 1.4826 median |r|, iterated.
struct NoiseEstimate {
    double residual = 1;  // over all residuals: noise and model error together; at least 1
    double sensor = 0;    // noise alone: over blocks, the value that one block in five stays below
                          // (model error raises a block's value, nothing lowers it)
};

NoiseEstimate residual_noise(const std::vector<Image>& views,
                             const std::vector<ViewGeometry>& geometry, const Image& pilot,
                             const Psf& psf, int scale);

}  // namespace plenosr
