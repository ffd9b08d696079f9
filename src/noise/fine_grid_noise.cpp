#include "noise/fine_grid_noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "noise/single_view_noise.h"

namespace plenosr {
namespace {

// Chosen by reasoning, except the quietest blocks.
constexpr int window_size = 128;        // high-resolution pixels
constexpr int most_windows_across = 8;  // 1024 x 1024 pixels in all: 4096 blocks
constexpr double same_place = 0.25;     // high-resolution pixels: a sample farther away from a
                                        // pixel's centre shows another place
constexpr double least_coverage = 0.9;  // fraction of the pixels that need a sample
// Set on the centre views of boardgames and cotton, and revised once for two Kodak photos. Of a
// thousand blocks or more some are flat, hence a lower quantile than for single views.
constexpr QuietBlocks quietest_blocks{0.03, 0.84};
constexpr double rounding_variance = 1.0 / 12;  // of a uniform error of one grey level
constexpr float inside = 0.01F;                 // grey levels: keeps dithered values off the limits
constexpr double margin = 2;  // pixels of the frame around the window: homographies and flow

// A hash of the place, uniform in [-1/2, 1/2). Added to whole grey levels, it lets their medians
// take any value.
float dither(int x, int y) {
    std::uint32_t h = std::uint32_t(x) * 2654435761U ^ std::uint32_t(y) * 2246822519U;
    h ^= h >> 15;
    h *= 2246822519U;
    h ^= h >> 13;
    return float(h >> 8) / float(1U << 24) - 0.5F;
}

struct Window {
    Image values;    // of the nearest sample
    Image distance;  // to it
};

void put_samples(const Image& frame, const FrameMotion& motion, int scale, const Box& box,
                 Window& window) {
    double x0 = frame.width;
    double y0 = frame.height;
    double x1 = 0;
    double y1 = 0;
    for (const int x : {box.x0, box.x1()})
        for (const int y : {box.y0, box.y1()}) {
            const Place p = motion.from_reference({double(x) / scale, double(y) / scale});
            x0 = std::min(x0, p.x);
            x1 = std::max(x1, p.x);
            y0 = std::min(y0, p.y);
            y1 = std::max(y1, p.y);
        }
    const int left = int(std::clamp(std::floor(x0) - margin, 0.0, double(frame.width)));
    const int right = int(std::clamp(std::ceil(x1) + margin, 0.0, double(frame.width)));
    const int top = int(std::clamp(std::floor(y0) - margin, 0.0, double(frame.height)));
    const int bottom = int(std::clamp(std::ceil(y1) + margin, 0.0, double(frame.height)));
    if (left >= right || top >= bottom) return;
    const Image samples = luma(crop(frame, {left, top, right - left, bottom - top}));
    for (int i = top; i < bottom; ++i)
        for (int j = left; j < right; ++j) {
            const Place p = motion.to_reference({double(j), double(i)});
            const double x = scale * p.x - box.x0;
            const double y = scale * p.y - box.y0;
            const double column = std::round(x);
            const double row = std::round(y);
            if (!(column >= 0 && row >= 0 && column < box.width && row < box.height)) continue;
            const auto distance = float(std::hypot(x - column, y - row));
            float& least = window.distance.at(int(row), int(column));
            if (distance >= least) continue;
            least = distance;
            window.values.at(int(row), int(column)) = samples.at(i - top, j - left);
        }
}

}  // namespace

std::optional<double> fine_grid_noise(const std::vector<const Image*>& frames,
                                      const std::vector<FrameMotion>& motions, int scale,
                                      const ValueLimits& limits) {
    const int width = frames.front()->width * scale;
    const int height = frames.front()->height * scale;
    const int across = std::clamp(width / window_size, 1, most_windows_across);
    const int down = std::clamp(height / window_size, 1, most_windows_across);
    const int w = std::min(window_size, width);
    const int h = std::min(window_size, height);
    // A pixel without a sample is left out like one at a limit.
    Image mosaic(across * w, down * h, 1, float(limits.low));
    double found = 0;
    for (int n = 0; n < down; ++n)
        for (int m = 0; m < across; ++m) {
            const Box box{across == 1 ? 0 : int(std::int64_t(width - w) * m / (across - 1)),
                          down == 1 ? 0 : int(std::int64_t(height - h) * n / (down - 1)), w, h};
            Window window{Image(w, h), Image(w, h, 1, float(same_place))};
            for (std::size_t k = 0; k < frames.size(); ++k)
                put_samples(*frames[k], motions[k], scale, box, window);
            for (int y = 0; y < h; ++y)
                for (int x = 0; x < w; ++x) {
                    if (window.distance.at(y, x) >= float(same_place)) continue;
                    ++found;
                    const float value = window.values.at(y, x);
                    if (!limits.reached(value))
                        mosaic.at(n * h + y, m * w + x) =
                            std::clamp(value + dither(x, y), float(limits.low) + inside,
                                       float(limits.high) - inside);
                }
        }
    if (found < least_coverage * double(mosaic.pixels())) return {};
    const double sigma = single_view_noise(mosaic, limits, quietest_blocks).sigma;
    return std::sqrt(std::max(sigma * sigma - rounding_variance, 0.0));
}

}  // namespace plenosr
