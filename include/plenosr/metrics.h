#pragma once

#include <array>
#include <string>

#include "plenosr/export.h"
#include "plenosr/image.h"

namespace plenosr PLENOSR_EXPORT {

struct QualityOptions {
    int border = 0;             // pixels to cut off on each side before comparing
    bool all_channels = false;  // false: compare luma (BT.601, full range); true: all channels
};

struct Quality {
    double mse = 0;
    double psnr = 0;  // dB, peak 255; infinite for equal images
    double ssim = 0;  // Wang 2004: 11x11 Gaussian window, sigma 1.5, K1 = 0.01, K2 = 0.03, L = 255;
                      // mean over the windows that lie wholly inside; mean over channels
};

// Compares `estimate` with `truth`. Both are clipped to [0, 255]; if the truth exceeds 0 or 255 by
// more than half a level, as HDR pictures do, neither is clipped there. Throws Error(input) if
// sizes differ, if channels differ (all_channels), or if the images without border are smaller than
// 11x11.
Quality compare(const Image& estimate, const Image& truth, const QualityOptions& options = {});

// The definitions of the clean protocol of light-field super-resolution (BasicLFSR): luma as Y from
// 16 to 235, not rounded, PSNR with the peak 255 (1.32 dB more than the full range gives), SSIM
// with L = 510 and sample covariances (the defaults of scikit-image for floats at that time; larger
// than that of Wang). Throws as compare() does.
Quality compare_basiclfsr(const Image& estimate, const Image& truth);

// The part of `truth` that a result of this size covers: the truth may be larger by up to scale - 1
// pixels at the right and at the bottom, which the decimation cut off. Error(input), with `name`,
// for other sizes.
Image crop_truth(const Image& truth, int width, int height, int scale,
                 const std::string& name = "the true image");

// The measures of the HCI 4D light field benchmark, with e = estimate - truth.
inline constexpr std::array<double, 4> bad_pixel_limits = {0.01, 0.03, 0.07, 0.2};
struct DisparityQuality {
    std::array<double, 4> bad_pixels{};  // percent of pixels with |e| > bad_pixel_limits
    double mse100 = 0;                   // 100 mean e^2
    double q25 = 0;                      // 100 times the 25th percentile of |e|
    std::size_t pixels = 0;              // number of compared pixels
};
inline constexpr int benchmark_border = 15;  // pixels that the benchmark skips on each side

// Compares the pixels inside `border` that are not 0 in the mask, if there is one. Throws
// Error(input) if sizes differ, values are not finite or no pixel remains.
DisparityQuality compare_disparity(const Image& estimate, const Image& truth,
                                   int border = benchmark_border, const Image* mask = nullptr);

}  // namespace PLENOSR_EXPORT
