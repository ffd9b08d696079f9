#pragma once

#include "plenosr/image.h"

namespace plenosr {

inline constexpr int ssim_window = 11;

// Mean over all 11x11 windows inside two one-channel images of one size (at least 11x11) of
//   (2 mx my + C1)(2 sxy + C2) / ((mx² + my² + C1)(sxx + syy + C2)),  C1 = (K1 L)², C2 = (K2 L)²,
// with means and (co)variances weighted by a Gaussian of sigma 1.5 that sums to 1.
double mean_ssim(const Image& x, const Image& y);

}  // namespace plenosr
