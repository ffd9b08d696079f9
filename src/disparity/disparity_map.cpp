#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "disparity/disparity_at.h"
#include "light_field/interpolate.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

// Pixels per step between views: wider than any image, and coordinates stay in the range of int.
constexpr float largest_disparity = 16384;

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
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            full.at(y, x) = float(scale) * bilinear_at(disparity, (x - sampling.phase) / scale,
                                                       (y - sampling.phase) / scale);
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
