#include "edge_spread.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/cholesky.h"

namespace plenosr {
namespace {

// Chosen on boardgames, cotton and dishes of HCI and on the random scenes 1 to 6, with lenses of
// 0.4 to 1.3 pixels and noise of 0 to 10, at x2.
constexpr double radius = 3;            // pixels; 4 to 9 times the width of the blur
constexpr std::size_t edges_max = 700;  // the strongest ones are fitted
constexpr double contrast_min = 20;     // grey levels, and times the noise:
constexpr double contrast_to_noise = 4;
constexpr double misfit_max = 0.1;     // of the contrast
constexpr double misfit_floor = 0.03;  // edges that fit better count no more than this
constexpr double error_max = 0.2;      // standard error of s, as a fraction of s
constexpr double offset_max = 1;       // pixels between the edge and where it was looked for
// Texture and bends make an edge look too sharp, by up to this times its misfit. Without it edges
// are found 8 % sharper in the mean, and twice as often more than 20 %.
constexpr double bias_of_misfit = 3;
// Weighted. The limits of the error and the quantile were chosen again on the random scenes 1 to 6
// (noise 1 and 10) and on bursts of kodim19, kleiber and portrait (noise 2 to 20): with 0.05 and
// 0.02, and fits below the least width left out, strong noise left too few edges, or wrong ones.
// Quantiles of 0.05 to 0.1 find as many right widths, 0.02 finds two in a hundred fewer.
constexpr double quantile = 0.1;
constexpr std::size_t edges_min = 5;
constexpr double widest = 2.5;              // pixels
constexpr double widest_edge = radius / 2;  // its ends must be within the radius
constexpr double narrowest = 0.1;
// Narrower fits count as this wide: a square pixel alone is 0.29 wide, the default blur 0.22.
constexpr double least_width = 0.2;
constexpr int steps = 12;  // of Levenberg and Marquardt

enum Unknown { base, contrast, angle, offset, width, shift, unknowns };
using Vector = std::array<double, unknowns>;
using Matrix = std::array<Vector, unknowns>;

struct Candidate {
    int x = 0, y = 0;
    double gradient = 0, angle = 0;
};

// 3x3 mean with the weights 1 2 1, clear of the border.
Image smoothed(const Image& picture) {
    Image out = picture;
    for (int y = 1; y + 1 < picture.height; ++y)
        for (int x = 1; x + 1 < picture.width; ++x) {
            float sum = 0;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i)
                    sum += float((2 - std::abs(i)) * (2 - std::abs(j))) * picture.at(y + j, x + i);
            out.at(y, x) = sum / 16;
        }
    return out;
}

// Pixels where the gradient is larger than at both neighbours across the edge.
std::vector<Candidate> strongest_edges(const Image& picture) {
    const Image smooth = smoothed(picture);
    const auto slope = [&](int x, int y) {
        return Place{double(smooth.at(y, x + 1) - smooth.at(y, x - 1)) / 2,
                     double(smooth.at(y + 1, x) - smooth.at(y - 1, x)) / 2};
    };
    const auto size = [](Place g) { return std::hypot(g.x, g.y); };
    constexpr int border = int(radius) + 2;
    std::vector<Candidate> found;
    for (int y = border; y + border < picture.height; ++y)
        for (int x = border; x + border < picture.width; ++x) {
            const Place g = slope(x, y);
            const double here = size(g);
            if (here <= 1) continue;  // less than contrast_min over ten pixels
            const int across = int(std::lround(g.x / here));
            const int down = int(std::lround(g.y / here));
            if (here < size(slope(x + across, y + down)) ||
                here < size(slope(x - across, y - down)))
                continue;
            found.push_back({x, y, here, std::atan2(g.y, g.x)});
        }
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        return a.gradient > b.gradient;
    });
    found.resize(std::min(found.size(), edges_max));
    return found;
}

struct Normal {
    Matrix matrix = {};  // J'J, the lower half
    Vector right = {};   // J'r
    double squares = 0;  // r'r
};

Normal normal_at(const Vector& p, const std::vector<EdgeSample>& samples) {
    Normal n;
    const double cosine = std::cos(p[angle]);
    const double sine = std::sin(p[angle]);
    for (const EdgeSample& s : samples) {
        const double x = s.place.x + s.parallax.x * p[shift];
        const double y = s.place.y + s.parallax.y * p[shift];
        const double t = (cosine * x + sine * y - p[offset]) / p[width];
        const double phi = std::erf(t / std::numbers::sqrt2) / 2;
        const double density = std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi);
        const double steep = p[contrast] * density / p[width];
        const Vector slope{
            1,      phi,        steep * (cosine * y - sine * x),
            -steep, -steep * t, steep * (cosine * s.parallax.x + sine * s.parallax.y)};
        const double residual = s.value - p[base] - p[contrast] * phi;
        for (std::size_t i = 0; i < unknowns; ++i) {
            for (std::size_t j = 0; j <= i; ++j)
                n.matrix[i][j] += slope[i] * slope[j];
            n.right[i] += slope[i] * residual;
        }
        n.squares += residual * residual;
    }
    return n;
}

// The step of Levenberg and Marquardt; also solves for unknowns that nothing depends on.
bool solve(const Normal& n, double damping, Vector right, Vector& out) {
    constexpr double ridge = 1e-6;
    Matrix m = n.matrix;
    for (std::size_t i = 0; i < unknowns; ++i)
        m[i][i] += damping * m[i][i] + ridge;
    if (!solve_in_place(m, right)) return false;
    out = right;
    return true;
}

struct Fit {
    double width = 0, contrast = 0, offset = 0;
    double rms = 0;
    double error = 0;  // standard error of the width
};

std::optional<Fit> fit_edge(const std::vector<EdgeSample>& samples, double start_angle) {
    if (samples.size() < std::size_t(4) * unknowns) return {};
    std::vector<double> values;
    values.reserve(samples.size());
    for (const EdgeSample& s : samples)
        values.push_back(s.value);
    std::sort(values.begin(), values.end());
    const double low = values[values.size() / 10];
    const double high = values[values.size() * 9 / 10];
    Vector p{(low + high) / 2, high - low, start_angle, 0, 0.5, 0};
    Normal n = normal_at(p, samples);
    double damping = 0.01;
    for (int i = 0; i < steps; ++i) {
        Vector step;
        if (!solve(n, damping, n.right, step)) return {};
        Vector next = p;
        for (std::size_t k = 0; k < unknowns; ++k)
            next[k] += step[k];
        next[width] = std::clamp(next[width], narrowest, widest);
        Normal there = normal_at(next, samples);
        if (!(there.squares < n.squares)) {
            damping *= 5;
            continue;
        }
        const bool settled = n.squares - there.squares < 1e-4 * n.squares;
        p = next;
        n = there;
        damping = std::max(damping / 5, 1e-6);
        if (settled) break;
    }
    Vector unit = {};
    unit[width] = 1;
    Vector column;
    if (!solve(n, 0, unit, column)) return {};
    const double rms = std::sqrt(n.squares / double(samples.size()));
    return Fit{p[width], std::abs(p[contrast]), p[offset], rms,
               rms * std::sqrt(std::max(column[width], 0.0))};
}

struct Weighted {
    double width = 0, weight = 0;
};

// s (1 + 3 r + e) and 1 / (r^2 + e^2 + 0.03^2), where r is the misfit and e the relative error.
// With a weight of zero if the edge is not straight, alone and strong.
Weighted judged(const Fit& fit, double noise) {
    const double misfit =
        std::sqrt(std::max(0.0, fit.rms * fit.rms - noise * noise)) / fit.contrast;
    const double error = fit.error / fit.width;
    if (!(fit.contrast > std::max(contrast_min, contrast_to_noise * noise)) ||
        !(misfit < misfit_max) || !(error < error_max) || !(std::abs(fit.offset) < offset_max) ||
        fit.width > widest_edge)
        return {};
    return {std::max(fit.width, least_width) * (1 + bias_of_misfit * misfit),
            1 / (misfit * misfit + error * error + misfit_floor * misfit_floor)};
}

}  // namespace

std::optional<double> sharpest_edges(const Image& reference, double noise,
                                     const SamplesNear& samples) {
    const std::vector<Candidate> edges = strongest_edges(reference);
    std::vector<Weighted> widths(edges.size());
    tbb::parallel_for(std::size_t(0), edges.size(), [&](std::size_t i) {
        std::optional<Fit> best;
        for (const auto& set : samples(edges[i].x, edges[i].y, radius)) {
            const std::optional<Fit> fit = fit_edge(set, edges[i].angle);
            if (fit && (!best || fit->rms < best->rms)) best = fit;
        }
        if (best) widths[i] = judged(*best, noise);
    });
    std::erase_if(widths, [](const Weighted& w) { return w.weight == 0; });
    if (widths.size() < edges_min) return {};
    std::stable_sort(widths.begin(), widths.end(),
                     [](const Weighted& a, const Weighted& b) { return a.width < b.width; });
    double all = 0;
    for (const Weighted& w : widths)
        all += w.weight;
    double sum = widths.front().weight;  // one edge alone does not decide
    std::size_t i = 1;
    while (i + 1 < widths.size() && (sum += widths[i].weight) < quantile * all)
        ++i;
    return widths[i].width;
}

}  // namespace plenosr
