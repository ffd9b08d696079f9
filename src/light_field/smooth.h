#pragma once

#include "plenosr/image.h"

namespace plenosr {

// G_sigma * image: a Gaussian of standard deviation sigma pixels, cut at 3 sigma, the border
// replicated. One channel; sigma = 0 changes nothing.
Image smoothed(const Image& image, double sigma);

// How much of white noise's standard deviation G_sigma leaves: sqrt(sum of its squared weights).
double smoothed_noise(double sigma);

}  // namespace plenosr
