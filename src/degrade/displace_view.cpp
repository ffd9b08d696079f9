#include "degrade/displace_view.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "degrade/windowed_sinc.h"
#include "plenosr/degrade.h"
#include "plenosr/disparity.h"

namespace plenosr {
namespace {

// The map at a real place: bilinear over those of the four neighbours that belong to the surface of
// the disparity `near`, so that two surfaces are never mixed. Without such a neighbour: `near`.
float surface_at(const Image& map, double x, double y, float near) {
    x = std::clamp(x, 0.0, double(map.width - 1));
    y = std::clamp(y, 0.0, double(map.height - 1));
    const int x0 = int(x);
    const int y0 = int(y);
    double sum = 0;
    double weights = 0;
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) {
            const float d =
                map.at(std::min(y0 + j, map.height - 1), std::min(x0 + i, map.width - 1));
            if (std::abs(d - near) >= same_surface) continue;
            const double w = (i == 0 ? x0 + 1 - x : x - x0) * (j == 0 ? y0 + 1 - y : y - y0);
            sum += w * double(d);
            weights += w;
        }
    return weights > 1e-9 ? float(sum / weights) : near;
}

// Weights for every 1/steps of a pixel. Rounding a place to 1/1024 pixel changes a picture by less
// than a tenth of a grey level.
constexpr int steps = 512;
const std::vector<SincWeights>& sinc_table() {
    static const std::vector<SincWeights> table = [] {
        std::vector<SincWeights> all;
        for (int i = 0; i <= steps; ++i)
            all.push_back(sinc_weights(double(i) / steps));
        return all;
    }();
    return table;
}

}  // namespace

Image displaced_disparity(const Image& map, double du, double dv) {
    if (du == 0 && dv == 0) return map;
    float largest = 0;
    for (const float d : map.values)
        if (std::isfinite(d)) largest = std::max(largest, std::abs(d));
    const int reach = 1 + int(std::max(std::abs(du), std::abs(dv)) * double(largest));
    Image result(map.width, map.height);
    tbb::parallel_for(0, map.height, [&](int y) {
        for (int x = 0; x < map.width; ++x) {
            // A neighbour's disparity d is right if the place p + (du, dv) d has it as well.
            float nearest = -INFINITY;
            float farthest = INFINITY;
            for (int j = std::max(0, y - reach); j <= std::min(map.height - 1, y + reach); ++j)
                for (int i = std::max(0, x - reach); i <= std::min(map.width - 1, x + reach); ++i) {
                    const float d = map.at(j, i);
                    farthest = std::min(farthest, d);
                    if (d <= nearest) continue;
                    const int px =
                        std::clamp(int(std::lround(x + du * double(d))), 0, map.width - 1);
                    const int py =
                        std::clamp(int(std::lround(y + dv * double(d))), 0, map.height - 1);
                    if (std::abs(map.at(py, px) - d) < same_surface) nearest = d;
                }
            float d = std::isinf(nearest) ? farthest : nearest;
            for (int step = 0; step < 3; ++step)  // converges by a factor of |du d_x + dv d_y|
                d = surface_at(map, x + du * double(d), y + dv * double(d), d);
            result.at(y, x) = d;
        }
    });
    return result;
}

Image displaced_view(const Image& view, const Image& disparity, double du, double dv) {
    if (du == 0 && dv == 0) return view;
    const Image d = displaced_disparity(disparity, du, dv);
    const std::vector<SincWeights>& table = sinc_table();
    Image result(view.width, view.height, view.channels);
    tbb::parallel_for(0, view.height, [&](int y) {
        for (int x = 0; x < view.width; ++x) {
            const double px = x + du * double(d.at(y, x));
            const double py = y + dv * double(d.at(y, x));
            const int x0 = int(std::floor(px));
            const int y0 = int(std::floor(py));
            const SincWeights& wx = table[std::size_t(std::lround((px - x0) * steps))];
            const SincWeights& wy = table[std::size_t(std::lround((py - y0) * steps))];
            for (int c = 0; c < view.channels; ++c) {
                float sum = 0;
                for (int j = 0; j < 2 * sinc_lobes; ++j) {
                    const int row = std::clamp(y0 + j - sinc_lobes + 1, 0, view.height - 1);
                    float line = 0;
                    for (int i = 0; i < 2 * sinc_lobes; ++i) {
                        const int col = std::clamp(x0 + i - sinc_lobes + 1, 0, view.width - 1);
                        line += wx[std::size_t(i)] * view.at(row, col, c);
                    }
                    sum += wy[std::size_t(j)] * line;
                }
                result.at(y, x, c) = sum;
            }
        }
    });
    return result;
}

}  // namespace plenosr
