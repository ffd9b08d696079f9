#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plenosr/disparity.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

// Pixels per step between views: wider than any image, and coordinates stay in the range of int.
constexpr float largest_disparity = 16384;

}  // namespace

Image reduce_disparity(const Image& disparity, int scale) {
    Image low(disparity.width / scale, disparity.height / scale);
    for (int y = 0; y < low.height; ++y)
        for (int x = 0; x < low.width; ++x)
            low.at(y, x) = disparity.at(y * scale, x * scale) / float(scale);
    return low;
}

Image enlarge_disparity(const Image& disparity, int scale, int width, int height) {
    Image full(width, height);
    for (int y = 0; y < height; ++y) {
        const int y0 = std::min(y / scale, disparity.height - 1);
        const int y1 = std::min(y0 + 1, disparity.height - 1);
        const float fy = float(y % scale) / float(scale);
        for (int x = 0; x < width; ++x) {
            const int x0 = std::min(x / scale, disparity.width - 1);
            const int x1 = std::min(x0 + 1, disparity.width - 1);
            const float fx = float(x % scale) / float(scale);
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

Image disparity_at_full_size(const Image& disparity, int low_width, int low_height, int scale,
                             const std::string& name) {
    require_disparity(disparity, low_width, low_height, scale, name);
    const int width = low_width * scale;
    const int height = low_height * scale;
    return disparity.width == low_width && disparity.height == low_height
               ? enlarge_disparity(disparity, scale, width, height)
               : crop(disparity, width, height);
}

}  // namespace plenosr
