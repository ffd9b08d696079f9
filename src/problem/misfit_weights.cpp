#include "problem/misfit_weights.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "base/memory_count.h"
#include "light_field/interpolate.h"
#include "light_field/smooth.h"
#include "problem/geometry.h"
#include "psf/blur_decimate.h"

namespace plenosr {
namespace {

// Chosen by eye on a crop of a real capture, and on boardgames and cotton (x2, noise 1/1, estimated
// disparity), where the rule changes the PSNR by -0.01 and 0.00 dB. Not tuned on other scenes.
constexpr double residual_limit_sigmas = 8;  // |r| is clipped to so many sigma
constexpr double harmless_misfit = 6;        // grey levels: misfits that cause no visible specks
constexpr float typical_misfit_factor = 3;   // times the median of s^2: scenes that misfit all over
constexpr double neighbourhood_px = 2;       // high-resolution pixels: sigma of the Gaussian G_2
constexpr float least_divisor = 1e-12F;      // avoids 0 / 0 where there is no sample or no residual

// Calls fn(i, j, place, index of the nearest pixel) for each sample with a positive weight.
template <class Fn>
void for_each_sample(const Problem& p, const Observation& o, const Fn& fn) {
    for (int i = 0; i < o.values.height; ++i)
        for (int j = 0; j < o.values.width; ++j) {
            if (o.weight.at(i, j) <= 0.0F) continue;
            const Place at = o.place(p.scale, i, j);
            const int x = std::clamp(floor_to_int(at.x + p.psf.phase + 0.5), 0, p.width - 1);
            const int y = std::clamp(floor_to_int(at.y + p.psf.phase + 0.5), 0, p.height - 1);
            fn(i, j, at, std::size_t(y) * std::size_t(p.width) + std::size_t(x));
        }
}

// r^2 of each sample, mean over the channels.
Image residual_squares(const Problem& p, const Observation& o, const Image& blurred, double largest,
                       const ValueLimits& limits) {
    Image squares(o.values.width, o.values.height);
    for_each_sample(p, o, [&](int i, int j, const Place& at, std::size_t) {
        double sum = 0;
        for (int c = 0; c < p.channels; ++c) {
            const float y = o.values.at(i, j, c);
            if (limits.extreme(y)) continue;
            const double r = double(y) - double(bicubic_at(blurred, at.x, at.y, c));
            sum += std::min(r * r, largest * largest);
        }
        squares.at(i, j) = float(sum / p.channels);
    });
    return squares;
}

}  // namespace

Image misfit_squares(const Problem& p, const Image& before, double sigma,
                     const ValueLimits& limits) {
    const Charge charge((std::size_t(p.channels) + 3) * p.pixels() * sizeof(float));
    Image squares(p.width, p.height);  // sum of m r^2, then s^2
    Image weights(p.width, p.height);  // sum of m
    const Image blurred = blur_decimate(before, p.psf, 1);
    const std::size_t views = p.observations.size();
    // Views are added in their order, so that the result does not depend on the threads.
    for (std::size_t begin = 0; begin < views; begin += views_at_once) {
        std::vector<Image> of_view(std::min(views_at_once, views - begin));
        tbb::parallel_for(std::size_t(0), of_view.size(), [&](std::size_t n) {
            of_view[n] = residual_squares(p, p.observations[begin + n], blurred,
                                          residual_limit_sigmas * sigma, limits);
        });
        for (std::size_t n = 0; n < of_view.size(); ++n) {
            const Observation& o = p.observations[begin + n];
            for_each_sample(p, o, [&](int i, int j, const Place&, std::size_t pixel) {
                squares.values[pixel] += o.weight.at(i, j) * of_view[n].at(i, j);
                weights.values[pixel] += o.weight.at(i, j);
            });
        }
    }
    squares = smoothed(squares, neighbourhood_px);
    weights = smoothed(weights, neighbourhood_px);
    for (std::size_t i = 0; i < squares.values.size(); ++i)
        squares.values[i] /= std::max(weights.values[i], least_divisor);
    return squares;
}

float misfit_scale(const Image& squares) {
    std::vector<float> sorted = squares.values;
    const auto middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

void down_weight_misfits(Problem& p, const Image& squares, double sigma, float scale) {
    const auto explained = std::max(float(2 * sigma * sigma + harmless_misfit * harmless_misfit),
                                    typical_misfit_factor * scale);
    for (Observation& o : p.observations)
        for_each_sample(p, o, [&](int i, int j, const Place&, std::size_t pixel) {
            const float factor =
                std::min(1.0F, explained / std::max(squares.values[pixel], least_divisor));
            o.weight.at(i, j) *= factor * factor;
        });
}

}  // namespace plenosr
