#pragma once

#include <cstdint>

#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"
#include "plenosr/psf.h"

namespace plenosr {

enum class Colour { luma, rgb };

// y = clip(round(N(D B x))), then impulses (docs/mathematics.md). The noise N is one of
//   t + n,                                   n ~ N(0, gaussian^2)
//   (255 / poisson) Poisson(poisson t / 255) + n,   n ~ N(0, read_noise^2)
struct DegradeOptions {
    int scale = 2;          // decimation: one pixel of each scale x scale block is kept
    BlurSpec blur;          // before the decimation
    PhaseSpec phase;        // where it lies in the block: by default its top-left pixel
    double gaussian = 0;    // standard deviation of additive noise, 8-bit units
    double poisson = 0;     // mean number of photons of a white pixel (255); 0: no photon noise
    double read_noise = 0;  // standard deviation of the sensor's noise with poisson, 8-bit units
    double impulse = 0;     // percent of pixels that are set to 0 or 255 with equal probability
    std::uint64_t seed = 0;
    // luma: one-channel views of BT.601 luma; rgb: noise per channel, and impulses set all channels
    // of a pixel.
    Colour colour = Colour::luma;
    void validate() const;  // throws Error(invalid_option)
};

// One view. The noise depends only on seed, view position, pixel and channel, not on the other
// views or the number of threads. The result has floor(size / scale) pixels: if the scale does not
// divide the size, the last rows and columns are dropped.
Image degrade(const Image& view, ViewPosition position, const DegradeOptions& options);

// If cancelled, it returns the finished views.
LightField degrade(const LightField& light_field, const DegradeOptions& options,
                   const Progress& progress = {});

}  // namespace plenosr
