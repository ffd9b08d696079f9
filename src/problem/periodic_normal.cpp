#include "problem/periodic_normal.h"

#include <algorithm>
#include <cmath>

#include "kernels/pixel.h"
#include "problem/position.h"

namespace plenosr {
namespace {

int modulo(int a, int b) {
    return (a % b + b) % b;
}

// The samples of a frame with a positive weight: a box in which all have the same weight. Empty
// otherwise.
struct Part {
    Box box;  // low resolution
    float weight = 0;
};
std::optional<Part> part_of(const Observation& o) {
    const int width = o.values.width;
    const int height = o.values.height;
    if (o.weight.empty()) return Part{{0, 0, width, height}, 1.0F};
    int x0 = width;
    int x1 = 0;
    int y0 = height;
    int y1 = 0;
    std::size_t count = 0;
    float weight = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const float m = o.weight.at(y, x);
            if (!(m > 0)) continue;
            if (count++ == 0) weight = m;
            if (m != weight) return {};
            x0 = std::min(x0, x);
            x1 = std::max(x1, x + 1);
            y0 = std::min(y0, y);
            y1 = std::max(y1, y + 1);
        }
    if (count == 0) return Part{};
    if (count != std::size_t(x1 - x0) * std::size_t(y1 - y0)) return {};
    return Part{{x0, y0, x1 - x0, y1 - y0}, weight};
}

// c(phase, d) along one axis, and the range of pixels in which it holds.
struct Axis {
    std::vector<double> c;  // [phase (2 taps - 1) + d + taps - 1]
    int begin;
    int end;
};
Axis axis_of(int first, float fraction, int last, int taps, int period) {
    float w[4] = {1.0F - fraction, fraction, 0.0F, 0.0F};
    if (taps == 4) cubic_weights(fraction, w);
    const int span = 2 * taps - 1;
    Axis axis{std::vector<double>(std::size_t(period * span), 0.0), first - period + taps,
              last + period};
    for (int phase = 0; phase < period; ++phase)
        for (int i = 0; i < taps; ++i) {
            if (modulo(phase - i - first, period) != 0) continue;
            for (int j = 0; j < taps; ++j)
                axis.c[std::size_t(phase * span + j - i + taps - 1)] += double(w[i]) * double(w[j]);
        }
    return axis;
}

}  // namespace

Box interior_on_padded_image(const PeriodicNormal& normal, int padded_width, int padded_height,
                             int margin) {
    const Box& n = normal.interior;
    const int x0 = std::max(n.x0 + margin, normal.taps);
    const int y0 = std::max(n.y0 + margin, normal.taps);
    return {x0, y0, std::max(0, std::min(n.x1() + margin, padded_width - normal.taps) - x0),
            std::max(0, std::min(n.y1() + margin, padded_height - normal.taps) - y0)};
}

PeriodicRows periodic_rows(const PeriodicNormal& normal, const Box& interior, int margin,
                           int length) {
    PeriodicRows rows;
    const auto phase = [&](int padded_pixel) {
        return modulo(padded_pixel - margin, normal.period);
    };
    for (int row = 0; row < normal.period; ++row) {
        rows.starts.push_back(int(rows.taps.size()));
        for (int dy = 1 - normal.taps; dy < normal.taps; ++dy)
            for (int dx = 1 - normal.taps; dx < normal.taps; ++dx) {
                std::vector<float> pattern;
                pattern.reserve(std::size_t(length));
                for (int x = 0; x < length; ++x)
                    pattern.push_back(
                        normal.at(phase(interior.y0 + row), phase(interior.x0 + x), dy, dx));
                if (std::all_of(pattern.begin(), pattern.end(), [](float c) { return c == 0.0F; }))
                    continue;
                rows.taps.push_back({dx, dy});
                rows.patterns.insert(rows.patterns.end(), pattern.begin(), pattern.end());
            }
    }
    rows.starts.push_back(int(rows.taps.size()));
    return rows;
}

std::optional<PeriodicNormal> periodic_normal(const Problem& problem) {
    if (problem.form != OperatorForm::sampling) return {};
    PeriodicNormal result;
    result.period = problem.scale;
    result.taps = problem.interpolation == Interpolation::bicubic ? 4 : 2;
    const int span = 2 * result.taps - 1;
    const int before = result.taps / 2 - 1;
    constexpr int far = 1 << 28;
    int x0 = -far;
    int y0 = -far;
    int x1 = far;
    int y1 = far;
    std::vector<double> sums(std::size_t(result.period * result.period * span * span), 0.0);
    for (const Observation& o : problem.observations) {
        if (!o.disparity.empty() || !o.displacement.empty()) return {};
        const std::optional<Part> part = part_of(o);
        if (!part) return {};
        result.weights.push_back(part->weight);
        if (part->weight <= 0) continue;
        const Box& box = part->box;
        const Place start = o.place(problem.scale, box.y0, box.x0);
        const Position p = Position::at(start.x, start.y);
        const Axis x = axis_of(p.x - before, p.fx, p.x - before + problem.scale * (box.width - 1),
                               result.taps, result.period);
        const Axis y = axis_of(p.y - before, p.fy, p.y - before + problem.scale * (box.height - 1),
                               result.taps, result.period);
        x0 = std::max(x0, x.begin);
        x1 = std::min(x1, x.end);
        y0 = std::max(y0, y.begin);
        y1 = std::min(y1, y.end);
        for (int py = 0; py < result.period; ++py)
            for (int px = 0; px < result.period; ++px)
                for (int dy = 0; dy < span; ++dy)
                    for (int dx = 0; dx < span; ++dx)
                        sums[std::size_t(((py * result.period + px) * span + dy) * span + dx)] +=
                            double(part->weight) * y.c[std::size_t(py * span + dy)] *
                            x.c[std::size_t(px * span + dx)];
    }
    result.interior = {x0, y0, x1 - x0, y1 - y0};
    if (x0 <= -far || x1 <= x0 || y1 <= y0) return {};
    // Shifts by whole pixels have one coefficient; the others are rounding errors that cost time.
    constexpr double relative_rounding = 1e-7;
    const double largest = *std::max_element(sums.begin(), sums.end());
    for (const double c : sums)
        result.coefficients.push_back(std::abs(c) < relative_rounding * largest ? 0.0F : float(c));
    return result;
}

}  // namespace plenosr
