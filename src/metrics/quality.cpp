#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "light_field/value_limits.h"
#include "metrics/ssim.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

Image clipped(Image image, const ValueLimits& limits) {
    for (float& value : image.values)
        value = std::clamp(value, float(limits.low), float(limits.high));
    return image;
}

Image without_border(const Image& image, int border) {
    return crop(image, {border, border, image.width - 2 * border, image.height - 2 * border});
}

double mean_squared_error(const Image& a, const Image& b) {
    std::vector<double> row_sums(std::size_t(a.height));
    const std::size_t row_length = std::size_t(a.width) * std::size_t(a.channels);
    tbb::parallel_for(0, a.height, [&](int y) {
        double sum = 0;
        for (std::size_t i = a.index(y, 0), end = i + row_length; i < end; ++i) {
            const double difference = double(a.values[i]) - b.values[i];
            sum += difference * difference;
        }
        row_sums[std::size_t(y)] = sum;
    });
    return std::accumulate(row_sums.begin(), row_sums.end(), 0.0) / double(a.values.size());
}

void require_comparable(const Image& estimate, const Image& truth, const QualityOptions& options) {
    if (options.border < 0)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("border = {} must be at least 0.", options.border));
    if (!estimate.same_size(truth))
        throw Error(
            ErrorKind::input,
            fmt::format("An image of {}x{} pixels cannot be compared with one of {}x{}; the "
                        "sizes must be equal.",
                        estimate.width, estimate.height, truth.width, truth.height));
    if (options.all_channels && estimate.channels != truth.channels)
        throw Error(ErrorKind::input,
                    fmt::format("An image of {} channels cannot be compared channel by channel "
                                "with one of {}; compare the luma instead.",
                                estimate.channels, truth.channels));
    for (const Image* image : {&estimate, &truth})
        for (const float value : image->values)
            if (!std::isfinite(value))
                throw Error(ErrorKind::input,
                            "Images with values that are not finite cannot be compared.");
    // 2 border + 11 could overflow an int.
    const int shorter = std::min(estimate.width, estimate.height);
    if (shorter < ssim_window || options.border > (shorter - ssim_window) / 2)
        throw Error(
            ErrorKind::input,
            fmt::format("Images of {}x{} pixels without a border of {} pixels are smaller than the "
                        "{}x{} window of SSIM; use larger images or a smaller border.",
                        estimate.width, estimate.height, options.border, ssim_window, ssim_window));
}

double psnr_of(double mse) {
    return mse == 0 ? std::numeric_limits<double>::infinity()
                    : 10 * std::log10(255.0 * 255.0 / mse);
}

// Y of BT.601 with its range of 16 to 235.
Image studio_luma(const Image& image) {
    Image y = luma(image);
    for (float& value : y.values)
        value = 16 + value * (219.0F / 255.0F);
    return y;
}

}  // namespace

Quality compare(const Image& estimate, const Image& truth, const QualityOptions& options) {
    require_comparable(estimate, truth, options);
    // A range that the truth exceeds, as HDR pictures do, limits neither side.
    const ValueLimits limits = value_limits(truth);
    Image a = without_border(clipped(estimate, limits), options.border);
    Image b = without_border(clipped(truth, limits), options.border);
    if (!options.all_channels) {
        a = luma(a);
        b = luma(b);
    }

    Quality quality;
    quality.mse = mean_squared_error(a, b);
    quality.psnr = psnr_of(quality.mse);
    for (int c = 0; c < a.channels; ++c)
        quality.ssim +=
            (a.channels == 1 ? mean_ssim(a, b) : mean_ssim(channel(a, c), channel(b, c))) /
            a.channels;
    return quality;
}

Quality compare_basiclfsr(const Image& estimate, const Image& truth) {
    require_comparable(estimate, truth, {});
    const Image a = studio_luma(estimate);
    const Image b = studio_luma(truth);
    Quality quality;
    quality.mse = mean_squared_error(a, b);
    quality.psnr = psnr_of(quality.mse);
    // A window has 121 pixels; scikit-image takes floats to lie in [-1, 1], and 1 is 255 here.
    quality.ssim = mean_ssim(a, b, {.range = 510, .covariance = 121.0 / 120.0});
    return quality;
}

}  // namespace plenosr
