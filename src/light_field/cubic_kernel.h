#pragma once

#include <cmath>

#include "kernels/pixel.h"

namespace plenosr {

// Keys' cubic convolution kernel (cubic_weights() of kernels/pixel.h) at the distance x from its
// centre.
inline double cubic_kernel(double x) {
    const double distance = std::abs(x);
    if (distance >= 2) return 0;
    double weights[4];
    cubic_weights(distance < 1 ? distance : distance - 1, weights);
    return weights[distance < 1 ? 1 : 0];
}

}  // namespace plenosr
