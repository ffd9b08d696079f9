#include "noise/fine_grid_noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "noise/single_view_noise.h"

namespace plenosr {
namespace {

constexpr int window = 128;     // pixels of the fine grid
constexpr int most_across = 8;  // windows
constexpr double near = 0.25;   // pixels of the fine grid: a sample that far off is another one
constexpr double enough = 0.9;  // of the pixels must have one
constexpr QuietBlocks few{0.03, 0.84};  // a thousand blocks or more: some are flat
constexpr double rounding = 1.0 / 12;   // variance of a uniform error of one level

// Uniform in [-1/2, 1/2): whole grey levels would give the medians few values to take.
float dither(int x, int y) {
    std::uint32_t h = std::uint32_t(x) * 2654435761U ^ std::uint32_t(y) * 2246822519U;
    h ^= h >> 15;
    h *= 2246822519U;
    h ^= h >> 13;
    return float(h >> 8) / float(1U << 24) - 0.5F;
}

struct Fine {
    Image values;
    Image distance;
};

void put_samples(const Image& frame, const FrameMotion& motion, int scale, const Box& box,
                 Fine& fine) {
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
    constexpr double margin = 2;
    const int left = int(std::clamp(std::floor(x0) - margin, 0.0, double(frame.width)));
    const int right = int(std::clamp(std::ceil(x1) + margin, 0.0, double(frame.width)));
    const int top = int(std::clamp(std::floor(y0) - margin, 0.0, double(frame.height)));
    const int bottom = int(std::clamp(std::ceil(y1) + margin, 0.0, double(frame.height)));
    for (int i = top; i < bottom; ++i)
        for (int j = left; j < right; ++j) {
            const Place p = motion.to_reference({double(j), double(i)});
            const double x = scale * p.x - box.x0;
            const double y = scale * p.y - box.y0;
            const double column = std::round(x);
            const double row = std::round(y);
            if (!(column >= 0 && row >= 0 && column < box.width && row < box.height)) continue;
            const auto distance = float(std::hypot(x - column, y - row));
            float& least = fine.distance.at(int(row), int(column));
            if (distance >= least) continue;
            least = distance;
            fine.values.at(int(row), int(column)) =
                frame.channels == 1 ? frame.at(i, j)
                                    : 0.299F * frame.at(i, j, 0) + 0.587F * frame.at(i, j, 1) +
                                          0.114F * frame.at(i, j, 2);
        }
}

}  // namespace

std::optional<double> fine_grid_noise(const std::vector<const Image*>& frames,
                                      const std::vector<FrameMotion>& motions, int scale) {
    const int width = frames.front()->width * scale;
    const int height = frames.front()->height * scale;
    const int across = std::clamp(width / window, 1, most_across);
    const int down = std::clamp(height / window, 1, most_across);
    const int w = std::min(window, width);
    const int h = std::min(window, height);
    Image mosaic(across * w, down * h);
    double found = 0;
    for (int n = 0; n < down; ++n)
        for (int m = 0; m < across; ++m) {
            const Box box{across == 1 ? 0 : int(std::int64_t(width - w) * m / (across - 1)),
                          down == 1 ? 0 : int(std::int64_t(height - h) * n / (down - 1)), w, h};
            Fine fine{Image(w, h), Image(w, h, 1, float(near))};
            for (std::size_t k = 0; k < frames.size(); ++k)
                put_samples(*frames[k], motions[k], scale, box, fine);
            for (int y = 0; y < h; ++y)
                for (int x = 0; x < w; ++x) {
                    if (fine.distance.at(y, x) >= float(near)) continue;
                    ++found;
                    // A pixel at a limit takes no part, as one without a sample.
                    const float value = fine.values.at(y, x);
                    if (value > 0.0F && value < 255.0F)
                        mosaic.at(n * h + y, m * w + x) =
                            std::clamp(value + dither(x, y), 0.01F, 254.99F);
                }
        }
    if (found < enough * double(mosaic.pixels())) return {};
    const double sigma = single_view_noise(mosaic, few).sigma;
    return std::sqrt(std::max(sigma * sigma - rounding, 0.0));
}

}  // namespace plenosr
