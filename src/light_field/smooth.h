#pragma once

#include "plenosr/image.h"

namespace plenosr {

// G_sigma * image: convolution with a Gaussian of standard deviation sigma pixels, truncated at
// 3 sigma; the border is replicated. One channel. sigma = 0 returns the image.
Image smoothed(const Image& image, double sigma);

// The factor by which G_sigma reduces the standard deviation of white noise: sqrt(sum of its
// squared weights).
double smoothed_noise(double sigma);

}  // namespace plenosr
