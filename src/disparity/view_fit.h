#pragma once

#include "plenosr/image.h"

namespace plenosr {

// The share of a view's textured pixels that the reference's map explains. With
//   E = G_3 * e^2 - (G_3 * e)^2,   e = y(p) - y_k(p - (u, v) d(p))   along the disparity
//   D = G_3 * (|y(p + (1, 0)) - y(p)|^2 + |y(p + (0, 1)) - y(p)|^2) / 2   between neighbours
// both reduced by the contribution of noise (E is a variance because views may differ in
// brightness), a pixel is textured if D is well above the noise, and explained if  E < 0.7 D.  A
// view that is misplaced by a pixel or more differs by more than neighbouring pixels do; a view in
// its place differs by aliasing alone. 1 if fewer than 1 % of the pixels are textured. One channel
// each; `noise` is that of the images: white noise smoothed by G_smoothing.
double explained_share(const Image& reference, const Image& view, const Image& map, double u,
                       double v, double noise, double smoothing);

// On the five scenes of the 4D Light Field Benchmark (5 x 5 views, x2 and x4, noise 0/0 to 50/20)
// every view has a share of at least 0.94. Below the first threshold larger shifts are tried; below
// the second the view is rejected.
inline constexpr double well_explained_share = 0.9;
inline constexpr double least_explained_share = 0.8;

}  // namespace plenosr
