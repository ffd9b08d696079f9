#pragma once

#include "registration/align.h"

namespace plenosr {

// The flow f on the frame's own grid that is left after the homography H (frame -> reference):
//   gain frame(q) + offset = reference(H q + f(q))
// Coarse to fine; on every level a few steps of
//   (G * (w g g') + ridge) delta = G * (w g r),   f <- median(f + delta)
// r what is left of the equation, g the gradient of the reference there, w = 1 / (1 + (r / c)^2)
// and G a Gaussian window.
Image dense_flow(const Pyramid& reference, const Pyramid& frame, const Alignment& alignment);

}  // namespace plenosr
