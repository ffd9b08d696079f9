#include "disparity/view_fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "light_field/interpolate.h"
#include "light_field/smooth.h"

namespace plenosr {
namespace {

// Chosen by reasoning; view_fit.h says which shares the benchmark's scenes have with them.
constexpr double window_px = 3;          // sigma of G_3
constexpr double tolerance = 0.7;        // E / D up to which a pixel is explained
constexpr double least_textured = 0.01;  // fraction of the pixels; with fewer nothing is known
constexpr double least_inside = 0.5;     // fraction of a window that must lie inside the view
constexpr double chance_sigmas = 3;      // deviations of the noise's contribution to E and D
constexpr double least_texture = 4;      // squared grey levels of D, above the noise

// A Gaussian window of standard deviation s averages about 4 pi s^2 values.
double values_in(double s) {
    return std::max(1.0, 4 * std::numbers::pi * s * s);
}

}  // namespace

double explained_share(const Image& reference, const Image& view, const Image& map, double u,
                       double v, double noise, double smoothing) {
    const int width = reference.width;
    const int height = reference.height;
    Image mean(width, height);
    Image square(width, height);
    Image texture(width, height);
    Image seen(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const float value = reference.at(y, x);
            const double at_x = x - u * double(map.at(y, x));
            const double at_y = y - v * double(map.at(y, x));
            if (at_x < 0 || at_y < 0 || at_x > width - 1 || at_y > height - 1) continue;
            const float along = value - bilinear_at(view, at_x, at_y);
            const float right = value - reference.at(y, std::min(x + 1, width - 1));
            const float below = value - reference.at(std::min(y + 1, height - 1), x);
            seen.at(y, x) = 1;
            mean.at(y, x) = along;
            square.at(y, x) = along * along;
            texture.at(y, x) = 0.5F * (right * right + below * below);
        }
    mean = smoothed(mean, window_px);
    square = smoothed(square, window_px);
    texture = smoothed(texture, window_px);
    seen = smoothed(seen, window_px);
    const double from_noise = 2 * noise * noise;
    const double independent = std::max(1.0, values_in(window_px) / values_in(smoothing));
    const double chance = chance_sigmas * from_noise * std::sqrt(2 / independent);
    std::size_t textured = 0;
    std::size_t explained = 0;
    for (std::size_t i = 0; i < seen.values.size(); ++i) {
        const double share = double(seen.values[i]);
        if (share < least_inside) continue;
        const double d = double(texture.values[i]) / share - from_noise;
        const double offset = double(mean.values[i]) / share;
        const double e = double(square.values[i]) / share - offset * offset - from_noise;
        if (d < chance + least_texture) continue;
        ++textured;
        if (e - chance < tolerance * d) ++explained;
    }
    if (double(textured) < least_textured * double(seen.values.size())) return 1;
    return double(explained) / double(textured);
}

}  // namespace plenosr
