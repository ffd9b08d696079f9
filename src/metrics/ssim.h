#pragma once

#include "plenosr/image.h"

namespace plenosr {

inline constexpr int ssim_window = 11;  // pixels per side (Wang 2004)

struct SsimForm {
    double range = 255;     // L
    double covariance = 1;  // factor on sxx, syy and sxy
};

// The mean, over all 11x11 windows inside two one-channel images of equal size (at least 11x11), of
//   (2 mx my + C1)(2 sxy + C2) / ((mx² + my² + C1)(sxx + syy + C2)),  C1 = (K1 L)², C2 = (K2 L)²,
// Means and (co)variances are weighted by a Gaussian of sigma 1.5 that sums to 1. K1 = 0.01,
// K2 = 0.03 and L = 255 are those of Wang 2004.
double mean_ssim(const Image& x, const Image& y, const SsimForm& form = {});

}  // namespace plenosr
