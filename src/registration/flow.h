#pragma once

#include "registration/align.h"

namespace plenosr {

// The flow f on the frame's own grid that remains after the homography H (frame -> reference):
//   gain frame(q) + offset = reference(H q + f(q))
// Coarse to fine, with a few steps per level of
//   (G * (w g g') + ridge) delta = G * (w g r),   f <- median(f + delta)
// where r is the residual of the equation, g the gradient of the reference, w = 1 / (1 + (r / c)^2)
// and G a Gaussian window.
Image dense_flow(const Pyramid& reference, const Pyramid& frame, const Alignment& alignment);

}  // namespace plenosr
