#include "disparity/refine.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "disparity/disparity_at.h"
#include "disparity/guided_filter.h"
#include "kernels/pixel.h"
#include "kernels/rounding.h"
#include "light_field/interpolate.h"
#include "light_field/smooth.h"
#include "psf/blur_decimate.h"

namespace plenosr {
namespace {

// Damping, step and threshold come from a prototype on scenes of the 4D Light Field Benchmark,
// where two steps gained 0.1 to 0.5 dB at low noise. Where the filter's values come from is not
// recorded.
constexpr double damping = 30;         // squared grey levels per pixel, over w: flat places stay
constexpr double largest_step = 0.15;  // high-resolution pixels per step between views
constexpr double huber_threshold = 2;  // grey levels, and per unit of noise:
constexpr double huber_threshold_per_noise = 0.5;
// Guided filter of the sums.
constexpr double noisy_from = 5;         // grey levels of noise
constexpr double guide_smoothing = 0.5;  // high-resolution pixels, in noise
constexpr int window_radius = 4;         // high-resolution pixels
constexpr int noisy_window_radius = 8;
constexpr double epsilon = 20;  // squared grey levels, and per squared noise:
constexpr double epsilon_per_variance = 0.3;
constexpr std::size_t views_at_once = 4;  // bounds the memory

// Sums of w r g and of w g^2.
struct Sums {
    Image first, second;
};

Sums sums_of_view(const Image& map, const Image& blurred, const Image& view, double u, double v,
                  const RefineDesc& desc) {
    Sums sums{Image(map.width, map.height), Image(map.width, map.height)};
    const ViewDisparity seen = disparity_of_view(map, u, v);
    const double huber = huber_threshold + huber_threshold_per_noise * desc.noise;
    const double phase = desc.psf.phase;
    const auto nearest = [](double place, int size) {
        return std::clamp(floor_to_int(place + 0.5), 0, size - 1);
    };
    for (int i = 0; i < view.height; ++i)
        for (int j = 0; j < view.width; ++j) {
            const int y = i * desc.scale;
            const int x = j * desc.scale;
            if (seen.visible.at(nearest(y + phase, map.height), nearest(x + phase, map.width)) <= 0)
                continue;
            const double d = double(disparity_at(seen.disparity, x + phase, y + phase));
            const double px = x + u * d;
            const double py = y + v * d;
            if (px < 0 || py < 0 || px > map.width - 1 || py > map.height - 1) continue;
            const ValueAndGradient at = bicubic_with_gradient(blurred, px, py);
            const double g = u * at.gx + v * at.gy;
            const double r = at.value - double(view.at(i, j));
            const double w = 1 / std::max(std::abs(r), huber);
            const int ty = nearest(py + phase, map.height);
            const int tx = nearest(px + phase, map.width);
            sums.first.at(ty, tx) += float(w * r * g);
            sums.second.at(ty, tx) += float(w * g * g);
        }
    return sums;
}

}  // namespace

// The image, its blurred form, two sums, the guided filter (5), the result; for each of the views
// that are worked on at once two sums, their disparity and visibility, and two of the splat.
const std::size_t refine_bytes_per_pixel = (10 + 6 * views_at_once) * sizeof(float);

Image refined_disparity(const Image& map, const Image& solved, const RefineDesc& desc) {
    const Image x = luma(solved);
    const Image blurred = blur_decimate(x, desc.psf, 1);
    const std::size_t pixels = map.values.size();
    std::vector<float> first(pixels, 0.0F);
    std::vector<float> second(pixels, 0.0F);
    // Views are added in their order, so that the result does not depend on the threads.
    const auto& views = desc.light_field.views;
    for (std::size_t begin = 0; begin < views.size(); begin += views_at_once) {
        const std::size_t count = std::min(views_at_once, views.size() - begin);
        std::vector<Sums> sums(count);
        tbb::parallel_for(std::size_t(0), count, [&](std::size_t n) {
            const PlacedView& view = views[begin + n];
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
    const bool noisy = desc.noise >= noisy_from;
    const GuidedFilter filter(noisy ? smoothed(x, guide_smoothing) : x,
                              noisy ? noisy_window_radius : window_radius,
                              float(epsilon + epsilon_per_variance * desc.noise * desc.noise));
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
