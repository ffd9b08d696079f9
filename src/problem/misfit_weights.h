#pragma once

#include "problem/mixture.h"
#include "problem/problem.h"

namespace plenosr {

// Residuals of an earlier result that are larger than sensor noise come from gloss that moves
// differently from its surface, or from a wrong disparity beside a highlight. Each phase of the
// high-resolution grid is seen by different views there, and x would follow every one of them as
// isolated bright and dark pixels. Therefore samples with large residuals around them are
// down-weighted:
//   m <- m min(1, v / s^2)^2,   v = max(2 sigma^2 + 6^2, 3 median s^2),
//   s^2 = G_2 * (m r^2) / G_2 * m
//   r = y - A before, for samples inside the limits, |r| clipped to 8 sigma
// Noise alone leaves s^2 below 2 sigma^2. The median is taken over the whole image: where half of
// the scene misfits, the cause is not gloss, and all samples keep their weight.
// For the sampling operator only.

// s^2 for each pixel of the problem's image. Near a tile's edge it lacks the samples of the
// neighbouring tile; in the tile's core it is that of the whole image.
Image misfit_squares(const Problem& problem, const Image& before, double sigma,
                     const ValueLimits& limits);

// The median of s^2 over the whole image: pass the squares of all tiles' cores, put together in one
// image. Of an even number of values it is the upper one of the two in the middle.
float misfit_scale(const Image& squares);

// Applies the rule above; `squares` covers the problem's image, `scale` is misfit_scale().
void down_weight_misfits(Problem& problem, const Image& squares, double sigma, float scale);

}  // namespace plenosr
