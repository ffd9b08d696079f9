#include "disparity/refine.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "disparity/guided_filter.h"
#include "kernels/pixel.h"
#include "kernels/rounding.h"
#include "light_field/smooth.h"
#include "psf/blur_decimate.h"

namespace plenosr {
namespace {

constexpr double damping = 30;
constexpr double largest_step = 0.15;  // high-resolution pixels per step between views
constexpr std::size_t views_at_once = 4;

struct ValueAndSlopes {
    double value = 0, along_x = 0, along_y = 0;
};

ValueAndSlopes bicubic_at(const Image& image, double x, double y) {
    const int x0 = floor_to_int(x);
    const int y0 = floor_to_int(y);
    double wx[4], wy[4], sx[4], sy[4];
    cubic_weights(x - x0, wx);
    cubic_weights(y - y0, wy);
    cubic_slopes(x - x0, sx);
    cubic_slopes(y - y0, sy);
    ValueAndSlopes result;
    for (int j = 0; j < 4; ++j) {
        const int row = std::clamp(y0 - 1 + j, 0, image.height - 1);
        double value = 0;
        double slope = 0;
        for (int i = 0; i < 4; ++i) {
            const double v = double(image.at(row, std::clamp(x0 - 1 + i, 0, image.width - 1)));
            value += wx[i] * v;
            slope += sx[i] * v;
        }
        result.value += wy[j] * value;
        result.along_x += wy[j] * slope;
        result.along_y += sy[j] * value;
    }
    return result;
}

// sums of w r g and w g^2
struct Sums {
    Image first, second;
};

Sums sums_of_view(const Image& map, const Image& blurred, const Image& view, double u, double v,
                  const RefineDesc& desc) {
    Sums sums{Image(map.width, map.height), Image(map.width, map.height)};
    const ViewDisparity seen = disparity_of_view(map, u, v);
    const double huber = 2 + 0.5 * desc.noise;
    for (int i = 0; i < view.height; ++i)
        for (int j = 0; j < view.width; ++j) {
            const int y = i * desc.scale;
            const int x = j * desc.scale;
            if (seen.visible.at(y, x) <= 0) continue;
            const double d = double(seen.disparity.at(y, x));
            const double px = x + u * d;
            const double py = y + v * d;
            if (px < 0 || py < 0 || px > map.width - 1 || py > map.height - 1) continue;
            const ValueAndSlopes at = bicubic_at(blurred, px, py);
            const double g = u * at.along_x + v * at.along_y;
            const double r = at.value - double(view.at(i, j));
            const double w = 1 / std::max(std::abs(r), huber);
            const int ty = floor_to_int(py + 0.5);
            const int tx = floor_to_int(px + 0.5);
            sums.first.at(ty, tx) += float(w * r * g);
            sums.second.at(ty, tx) += float(w * g * g);
        }
    return sums;
}

}  // namespace

Image refined_disparity(const Image& map, const Image& solved, const RefineDesc& desc) {
    const Image x = luma(solved);
    const Image blurred = blur_decimate(x, desc.psf, 1);
    const std::size_t pixels = map.values.size();
    std::vector<float> first(pixels, 0.0F);
    std::vector<float> second(pixels, 0.0F);
    // A few views at once, added in their order: threads change no bit.
    const auto& views = desc.light_field.views;
    for (std::size_t begin = 0; begin < views.size(); begin += views_at_once) {
        const std::size_t count = std::min(views_at_once, views.size() - begin);
        std::vector<Sums> sums(count);
        tbb::parallel_for(std::size_t(0), count, [&](std::size_t n) {
            const View& view = views[begin + n];
            const double u = view.position.col - desc.reference.col;
            const double v = view.position.row - desc.reference.row;
            if (u != 0 || v != 0)
                sums[n] = sums_of_view(map, blurred, luma(view.image), u, v, desc);
        });
        for (const Sums& s : sums)
            for (std::size_t i = 0; i < s.first.values.size(); ++i) {
                first[i] += s.first.values[i];
                second[i] += s.second.values[i];
            }
    }
    const bool noisy = desc.noise >= 5;
    const GuidedFilter filter(noisy ? smoothed(x, 0.5) : x, noisy ? 8 : 4,
                              float(20 + 0.3 * desc.noise * desc.noise));
    GuidedFilter::Scratch scratch;
    filter.apply(first.data(), scratch);
    filter.apply(second.data(), scratch);
    Image result = map;
    for (std::size_t i = 0; i < pixels; ++i) {
        const double step = -double(first[i]) / (std::max(double(second[i]), 0.0) + damping);
        result.values[i] += float(std::clamp(step, -largest_step, largest_step));
    }
    return result;
}

}  // namespace plenosr
