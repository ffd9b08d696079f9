#pragma once

#include <cstdint>

#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"
#include "plenosr/psf.h"

namespace plenosr {

enum class Colour { luma, rgb };

// y = clip(round(N(D B x))), then impulses. See docs/mathematics.md. The noise N is one of
//   t + n,                                   n ~ N(0, gaussian^2)
//   (255 / poisson) Poisson(poisson t / 255) + n,   n ~ N(0, read_noise^2)
struct DegradeOptions {
    int scale = 2;        // decimation: the top-left pixel of each scale x scale block is kept
    BlurSpec blur;        // before the decimation
    double gaussian = 0;  // standard deviation of additive noise, 8-bit units
    double poisson = 0;   // photons that a white pixel (255) counts on average; 0: no photon noise
    double read_noise = 0;  // standard deviation of what the sensor adds to them, 8-bit units
    double impulse = 0;     // percent of the pixels set to 0 or 255 with equal chance
    std::uint64_t seed = 0;
    Colour colour = Colour::luma;  // luma: noise on BT.601 luma, one-channel views;
                                   // rgb: noise per channel, impulses hit all channels of a pixel
    void validate() const;         // throws Error(invalid_option)
};

// One view. Noise depends on (seed, view position, pixel, channel) alone: neither the set of views
// nor the number of threads changes a view's noise. Sizes that the scale does not divide lose their
// last rows and columns: the result has floor(size / scale).
Image degrade(const Image& view, ViewPosition position, const DegradeOptions& options);

// Cancelled, it returns the views that were finished.
LightField degrade(const LightField& light_field, const DegradeOptions& options,
                   const Progress& progress = {});

}  // namespace plenosr
