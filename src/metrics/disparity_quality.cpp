#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plenosr/error.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

void require_one_channel(const Image& map) {
    if (map.channels != 1)
        throw Error(
            ErrorKind::input,
            fmt::format("A disparity map has {} channels; it must have one.", map.channels));
}

void require_same_size(const Image& map, const Image& other, const char* name_of_other) {
    if (!map.same_size(other))
        throw Error(ErrorKind::input,
                    fmt::format("A disparity map of {}x{} pixels cannot be compared with a {} of "
                                "{}x{}; the sizes must be equal.",
                                map.width, map.height, name_of_other, other.width, other.height));
}

}  // namespace

DisparityQuality compare_disparity(const Image& estimate, const Image& truth, int border,
                                   const Image* mask) {
    if (border < 0)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("border = {} must be at least 0.", border));
    require_one_channel(estimate);
    require_one_channel(truth);
    require_same_size(estimate, truth, "map");
    if (mask != nullptr) require_same_size(estimate, *mask, "mask");
    std::vector<double> errors;
    for (int y = border; y < estimate.height - border; ++y)
        for (int x = border; x < estimate.width - border; ++x) {
            if (mask != nullptr && mask->at(y, x, 0) == 0.0F) continue;
            const double e = double(estimate.at(y, x)) - double(truth.at(y, x));
            if (!std::isfinite(e))
                throw Error(
                    ErrorKind::input,
                    fmt::format("Disparity maps cannot be compared: a value at x = {}, y = {} "
                                "is not finite; exclude the pixel with a mask.",
                                x, y));
            errors.push_back(std::abs(e));
        }
    if (errors.empty())
        throw Error(ErrorKind::input,
                    fmt::format("No pixel is left of a map of {}x{} pixels without a border of {} "
                                "pixels{}; use larger maps or a smaller border.",
                                estimate.width, estimate.height, border,
                                mask != nullptr ? " and the pixels that the mask excludes" : ""));

    DisparityQuality quality;
    quality.pixels = errors.size();
    const double n = double(errors.size());
    for (const double e : errors)
        quality.mse100 += 100 * e * e / n;
    for (std::size_t i = 0; i < bad_pixel_limits.size(); ++i)
        quality.bad_pixels[i] =
            100 / n * double(std::count_if(errors.begin(), errors.end(), [&](double e) {
                return e > bad_pixel_limits[i];
            }));
    const auto quarter = errors.begin() + std::ptrdiff_t((errors.size() - 1) / 4);
    std::nth_element(errors.begin(), quarter, errors.end());
    quality.q25 = 100 * *quarter;
    return quality;
}

}  // namespace plenosr
