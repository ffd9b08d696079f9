#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "disparity/disparity_at.h"
#include "kernels/rounding.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

// Pixels per step between views: wider than any image, and coordinates stay in the range of int.
constexpr float largest_disparity = 16384;

// The low-resolution pixels on both sides of high-resolution pixel `high`, and the weight of the
// second.
struct Neighbours {
    int first;
    int second;
    float part;

    Neighbours(int high, const SamplingGrid& sampling, int low_size) {
        const double place = high - sampling.phase;
        const int before = floor_to_int(place / sampling.scale);
        part = float(place - double(before) * sampling.scale) / float(sampling.scale);
        first = std::clamp(before, 0, low_size - 1);
        second = std::clamp(before + 1, 0, low_size - 1);
    }
};

}  // namespace

Image disparity_at_samples(const Image& disparity, const SamplingGrid& sampling) {
    Image low(disparity.width / sampling.scale, disparity.height / sampling.scale);
    for (int y = 0; y < low.height; ++y)
        for (int x = 0; x < low.width; ++x)
            low.at(y, x) = disparity_at(disparity, sampling.to_high(x), sampling.to_high(y));
    return low;
}

Image reduce_disparity(const Image& disparity, const SamplingGrid& sampling) {
    Image low = disparity_at_samples(disparity, sampling);
    for (float& value : low.values)
        value /= float(sampling.scale);
    return low;
}

Image enlarge_disparity(const Image& disparity, const SamplingGrid& sampling, int width,
                        int height) {
    const int scale = sampling.scale;
    Image full(width, height);
    for (int y = 0; y < height; ++y) {
        const auto [y0, y1, fy] = Neighbours(y, sampling, disparity.height);
        for (int x = 0; x < width; ++x) {
            const auto [x0, x1, fx] = Neighbours(x, sampling, disparity.width);
            const float upper = (1 - fx) * disparity.at(y0, x0) + fx * disparity.at(y0, x1);
            const float lower = (1 - fx) * disparity.at(y1, x0) + fx * disparity.at(y1, x1);
            full.at(y, x) = float(scale) * ((1 - fy) * upper + fy * lower);
        }
    }
    return full;
}

void require_disparity(const Image& disparity, int low_width, int low_height, int scale,
                       const std::string& name) {
    const int width = low_width * scale;
    const int height = low_height * scale;
    const bool low = disparity.width == low_width && disparity.height == low_height;
    // A full-size map may be larger by what the decimation cut off.
    const bool full = disparity.width >= width && disparity.width < width + scale &&
                      disparity.height >= height && disparity.height < height + scale;
    if (disparity.channels != 1)
        throw Error(ErrorKind::input, fmt::format("the disparity map {} has {} channels; one is "
                                                  "expected",
                                                  name, disparity.channels));
    if (!low && !full)
        throw Error(ErrorKind::input,
                    fmt::format("the disparity map {} is {} x {} pixels; it must be {} x {} (the "
                                "size of the views) or {} x {} (the size of the result)",
                                name, disparity.width, disparity.height, low_width, low_height,
                                width, height));
    for (const float d : disparity.values)
        if (!std::isfinite(d))
            throw Error(ErrorKind::input,
                        fmt::format("the disparity map {} holds values that are not finite; fill "
                                    "its gaps first",
                                    name));
        else if (std::abs(d) > largest_disparity)
            throw Error(ErrorKind::input,
                        fmt::format("the disparity map {} holds {}; pixels per step between views "
                                    "within ±{} are expected",
                                    name, d, largest_disparity));
}

Image disparity_at_full_size(const Image& disparity, int low_width, int low_height,
                             const SamplingGrid& sampling, const std::string& name) {
    require_disparity(disparity, low_width, low_height, sampling.scale, name);
    const int width = low_width * sampling.scale;
    const int height = low_height * sampling.scale;
    return disparity.width == low_width && disparity.height == low_height
               ? enlarge_disparity(disparity, sampling, width, height)
               : crop(disparity, width, height);
}

}  // namespace plenosr
