#include "disparity/depth_edges.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace plenosr {
namespace {

// Chosen by reasoning, not tuned.
constexpr int largest_radius = 12;      // pixels: bounds the time
constexpr int widening = 2;             // pixels by which smoothing and windows widen an edge
constexpr double least_parallax = 0.5;  // pixels at the outermost view

}  // namespace

Image near_depth_edges(const Image& map, double baseline) {
    const auto [low, high] = std::minmax_element(map.values.begin(), map.values.end());
    const int radius = int(
        std::min(double(largest_radius), widening + std::ceil(baseline * double(*high - *low))));
    Image near(map.width, map.height);
    tbb::parallel_for(0, map.height, [&](int y) {
        for (int x = 0; x < map.width; ++x) {
            const double here = double(map.at(y, x));
            bool found = false;
            for (int j = std::max(0, y - radius);
                 j <= std::min(map.height - 1, y + radius) && !found; ++j)
                for (int i = std::max(0, x - radius);
                     i <= std::min(map.width - 1, x + radius) && !found; ++i) {
                    const double parallax = baseline * std::abs(double(map.at(j, i)) - here);
                    if (parallax <= least_parallax) continue;
                    const double reach = parallax + widening;
                    found = (i - x) * (i - x) + (j - y) * (j - y) <= reach * reach;
                }
            near.at(y, x) = found ? 1.0F : 0.0F;
        }
    });
    return near;
}

}  // namespace plenosr
