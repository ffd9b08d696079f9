#include "disparity/view_fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "light_field/interpolate.h"
#include "light_field/smooth.h"
#include "plenosr/disparity.h"

namespace plenosr {
namespace {

// Chosen by reasoning; view_fit.h says which shares the benchmark's scenes have with them.
constexpr double window_px = 3;          // sigma of G_3
constexpr double tolerance = 0.7;        // E / D up to which a pixel is explained
constexpr double least_textured = 0.01;  // fraction of the pixels; with fewer nothing is known
constexpr double least_inside = 0.5;     // fraction of a window that must lie inside the view
constexpr double chance_sigmas = 3;      // deviations of the noise's contribution to E and D
constexpr double least_texture = 4;      // squared grey levels of D, above the noise

constexpr double least_share_where_seen = 0.5;  // both: is_explained_where_seen()
constexpr double most_shortfall = 0.75;

// A Gaussian window of standard deviation s averages about 4 pi s^2 values.
double values_in(double s) {
    return std::max(1.0, 4 * std::numbers::pi * s * s);
}

// The windowed sums of one comparison; `seen` is the share of a window that takes part.
struct Differences {
    Image mean;    // of e
    Image square;  // of e^2
    Image texture;
    Image seen;
};

Differences differences(const Image& reference, const Image& view, const Image& map, double u,
                        double v, double change, const FitScope& scope) {
    const int width = reference.width;
    const int height = reference.height;
    Image mean(width, height);
    Image square(width, height);
    Image texture(width, height);
    Image seen(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            if (!scope.pixels.empty() && scope.pixels.at(y, x) <= 0) continue;
            const float value = reference.at(y, x);
            const double d = double(map.at(y, x)) + change;
            const double at_x = x - u * d;
            const double at_y = y - v * d;
            if (at_x < 0 || at_y < 0 || at_x > width - 1 || at_y > height - 1) continue;
            const float along = value - bilinear_at(view, at_x, at_y);
            const float right = value - reference.at(y, std::min(x + 1, width - 1));
            const float below = value - reference.at(std::min(y + 1, height - 1), x);
            seen.at(y, x) = 1;
            mean.at(y, x) = along;
            square.at(y, x) = along * along;
            texture.at(y, x) = 0.5F * (right * right + below * below);
        }
    return {smoothed(mean, window_px), smoothed(square, window_px), smoothed(texture, window_px),
            smoothed(seen, window_px)};
}

}  // namespace

bool ViewFit::is_known() const {
    return double(textured) >= least_textured * double(pixels);
}

double ViewFit::share() const {
    return is_known() && textured > 0 ? double(explained) / double(textured) : 1;
}

ViewFit view_fit(const Image& reference, const Image& view, const Image& map, double u, double v,
                 double noise, double smoothing, const FitScope& scope) {
    std::vector<Differences> all = {differences(reference, view, map, u, v, 0, scope)};
    if (scope.uncertainty > 0)
        for (const double change : {-scope.uncertainty, scope.uncertainty})
            all.push_back(differences(reference, view, map, u, v, change, scope));
    const double from_noise = 2 * noise * noise;
    const double independent = std::max(1.0, values_in(window_px) / values_in(smoothing));
    const double chance = chance_sigmas * from_noise * std::sqrt(2 / independent);
    ViewFit fit;
    fit.pixels = reference.pixels();
    for (std::size_t i = 0; i < fit.pixels; ++i) {
        bool textured = false;
        bool explained = false;
        for (const Differences& f : all) {
            const double share = double(f.seen.values[i]);
            if (share < least_inside) continue;
            const double d = double(f.texture.values[i]) / share - from_noise;
            const double offset = double(f.mean.values[i]) / share;
            const double e = double(f.square.values[i]) / share - offset * offset - from_noise;
            if (d < chance + least_texture) continue;
            textured = true;
            explained = explained || e - chance < tolerance * d;
        }
        fit.textured += textured ? 1 : 0;
        fit.explained += explained ? 1 : 0;
    }
    return fit;
}

bool is_explained_where_seen(double share_where_seen, double share) {
    return share_where_seen >= least_share_where_seen &&
           1 - share_where_seen <= most_shortfall * (1 - share);
}

Image seen_by_view(const Image& map, double u, double v) {
    const Image nearest = disparity_of_view(map, u, v).disparity;
    Image seen(map.width, map.height);
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            const float d = map.at(y, x);
            const double at_x = x - u * double(d);
            const double at_y = y - v * double(d);
            if (at_x < 0 || at_y < 0 || at_x > map.width - 1 || at_y > map.height - 1) continue;
            const int x0 = int(at_x);
            const int y0 = int(at_y);
            const int x1 = at_x > x0 ? x0 + 1 : x0;
            const int y1 = at_y > y0 ? y0 + 1 : y0;
            const float front = std::max(
                {nearest.at(y0, x0), nearest.at(y0, x1), nearest.at(y1, x0), nearest.at(y1, x1)});
            if (front - d < same_surface) seen.at(y, x) = 1;
        }
    return seen;
}

}  // namespace plenosr
