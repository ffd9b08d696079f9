#pragma once

#include "plenosr/image.h"

namespace plenosr {

struct QualityOptions {
    int border = 0;             // pixels cut off on each side before comparing
    bool all_channels = false;  // false: compare luma (BT.601, full range); true: all channels
};

struct Quality {
    double mse = 0;
    double psnr = 0;  // dB, peak 255; infinite for equal images
    double ssim = 0;  // Wang 2004: 11x11 Gaussian window, sigma 1.5, K1 = 0.01, K2 = 0.03, L = 255;
                      // mean over the windows that lie wholly inside; mean over channels
};

// Compares `estimate`, clipped to [0, 255], with `truth`. Throws Error(input) when sizes differ,
// when channels differ (all_channels), or when too little is left for the 11x11 window.
Quality compare(const Image& estimate, const Image& truth, const QualityOptions& options = {});

}  // namespace plenosr
