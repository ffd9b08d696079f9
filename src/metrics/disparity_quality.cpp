#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plenosr/error.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

void require_same_size(const Image& a, const Image& b, const char* what) {
    if (!a.same_size(b) || a.channels != 1)
        throw Error(ErrorKind::input,
                    fmt::format("A disparity map of {} x {} pixels and {} channels cannot be "
                                "compared with a {} of {} x {}; the sizes must be equal, and a map "
                                "has one channel.",
                                a.width, a.height, a.channels, what, b.width, b.height));
}

}  // namespace

DisparityQuality compare_disparity(const Image& estimate, const Image& truth, int border,
                                   const Image* mask) {
    if (border < 0)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("border = {} must be at least 0.", border));
    require_same_size(estimate, truth, "map");
    require_same_size(truth, estimate, "map");
    if (mask != nullptr) require_same_size(estimate, *mask, "mask");
    std::vector<double> errors;
    for (int y = border; y < estimate.height - border; ++y)
        for (int x = border; x < estimate.width - border; ++x) {
            if (mask != nullptr && mask->at(y, x, 0) == 0.0F) continue;
            const double e = double(estimate.at(y, x)) - double(truth.at(y, x));
            if (!std::isfinite(e))
                throw Error(ErrorKind::input,
                            fmt::format("A disparity map with a value that is not finite, at "
                                        "({}, {}), cannot be compared; leave the place out by a "
                                        "mask.",
                                        x, y));
            errors.push_back(std::abs(e));
        }
    if (errors.empty())
        throw Error(ErrorKind::input,
                    fmt::format("No pixel of a map of {} x {} pixels counts without a border of "
                                "{}{}; use larger maps or a smaller border.",
                                estimate.width, estimate.height, border,
                                mask != nullptr ? " and what the mask leaves out" : ""));

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
