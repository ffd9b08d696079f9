#pragma once

#include <string>

#include "plenosr/image.h"

namespace plenosr {

// A point spread function: odd width and height, centred, sums to 1. In high-resolution pixels.
struct Psf {
    Image kernel;
    bool operator==(const Psf&) const = default;
};

Psf gaussian_psf(double sigma);                       // radius ceil(3 sigma), normalised
Psf motion_psf(double length, double angle_degrees);  // a line segment, anti-aliased; 0 = along x,
                                                      // counter-clockwise
Psf identity_psf();
Psf psf_from_kernel(const Image& kernel);  // normalised; refuses even sizes, sum <= 0, NaN

// What a `--blur` option says, before it is known at which scale.
//   gaussian | gaussian:SIGMA | motion:LENGTH,ANGLE | psf:FILE | none
struct BlurSpec {
    std::string text = "gaussian";
    bool operator==(const BlurSpec&) const = default;
};

// `gaussian` alone means sigma = 1/4 sqrt(scale^2 - 1). Throws Error(invalid_option) for what it
// does not know, Error(input) for a PSF file that cannot be read.
Psf make_psf(const BlurSpec& blur, int scale);

}  // namespace plenosr
