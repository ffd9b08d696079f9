#pragma once

#include "problem/mixture.h"
#include "problem/problem.h"

namespace plenosr {

// What an earlier result leaves unexplained around a place is no noise of the sensor: gloss that
// moves with the views, or a disparity that is off at the border of a highlight. Each phase of the
// fine grid is seen by views of its own there, and x would follow every one of them: specks. So
// samples count the less, the more was left:
//   m <- m min(1, v / s^2)^2,   v = max(2 sigma^2 + 6^2, 3 median s^2),
//   s^2 = G_2 * (m r^2) / G_2 * m
//   r = y - A before, of samples inside the limits, |r| up to 8 sigma
// Noise alone leaves s^2 below 2 sigma^2, and misfits of up to 6 grey levels are harmless.
// Where half of the image misfits, that is no gloss, and all there is counts.
// For the sampling operator.
void down_weight_misfits(Problem& problem, const Image& before, double sigma,
                         const ValueLimits& limits);

}  // namespace plenosr
