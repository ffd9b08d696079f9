#pragma once

#include "problem/geometry.h"

namespace plenosr {

// Standard deviation of the noise, model error included, in grey levels: 1.4826 median |r| of the
// residuals r = y - A pilot where the pixel is visible, not an extreme (0 and 255 may be impulses
// or clipped) and its prediction is 1.5 sigma away from the limits; iterated. At least 1.
double residual_noise(const std::vector<Image>& views, const std::vector<ViewGeometry>& geometry,
                      const Image& pilot, const Psf& psf, int scale);

}  // namespace plenosr
