#include "registration/normal_equations.h"

#include <algorithm>
#include <cmath>

#include "base/cholesky.h"
#include "registration/registration_parameters.h"

namespace plenosr {

std::size_t parameters_of(Registration motion) {
    switch (motion) {
        case Registration::translation:
            return 2;
        case Registration::similarity:
            return 4;
        case Registration::homography:
            return 8;
        default:
            return 6;
    }
}

Normalised::Normalised(const Image& image)
    : cx(0.5 * image.width),
      cy(0.5 * image.height),
      unit(0.5 * std::max(image.width, image.height)) {}

NormalEquations::NormalEquations(Registration motion, const Normalised& normalised)
    : motion_(motion), count_(parameters_of(motion)), normalised_(normalised) {}

void NormalEquations::add(double x, double y, double gx, double gy, double v, double r,
                          double cut) {
    if (std::abs(r) >= cut) return;
    const double root = 1 - (r / cut) * (r / cut);
    const double w = root * root;
    gx *= normalised_.unit;
    gy *= normalised_.unit;
    std::array<double, most_unknowns> h{};
    if (motion_ == Registration::translation) {
        h[0] = gx;
        h[1] = gy;
    } else {
        const double a = (x - normalised_.cx) / normalised_.unit;
        const double b = (y - normalised_.cy) / normalised_.unit;
        if (count_ == 4)
            h = {gx * a + gy * b, gy * a - gx * b, gx, gy};
        else
            h = {gx * a, gx * b, gy * a, gy * b, gx, gy};
        if (count_ == 8) {
            h[6] = -a * (a * gx + b * gy);
            h[7] = -b * (a * gx + b * gy);
        }
    }
    h[count_] = -v;
    h[count_ + 1] = -1;
    for (std::size_t i = 0; i < count_ + 2; ++i) {
        right_[i] += w * h[i] * r;
        for (std::size_t j = 0; j <= i; ++j)
            matrix_[i][j] += w * h[i] * h[j];
    }
    ++pixels_;
}

void NormalEquations::add(const NormalEquations& other) {
    for (std::size_t i = 0; i < most_unknowns; ++i) {
        right_[i] += other.right_[i];
        for (std::size_t j = 0; j <= i; ++j)
            matrix_[i][j] += other.matrix_[i][j];
    }
    pixels_ += other.pixels_;
}

std::optional<NormalEquations::Step> NormalEquations::solve() const {
    const std::size_t n = count_ + 2;
    auto matrix = matrix_;
    auto d = right_;
    if (pixels_ < registration::pixels_per_unknown * double(n) || !solve_in_place(matrix, d, n))
        return {};
    std::array<double, 9> delta = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (motion_ == Registration::translation) {
        delta[2] = d[0];
        delta[5] = d[1];
    } else if (count_ == 4) {
        delta = {1 + d[0], -d[1], d[2], d[1], 1 + d[0], d[3], 0, 0, 1};
    } else {
        delta = {1 + d[0], d[1], d[4], d[2], 1 + d[3], d[5], 0, 0, 1};
        if (count_ == 8) {
            delta[6] = d[6];
            delta[7] = d[7];
        }
    }
    const auto& [cx, cy, unit] = normalised_;
    return Step{
        product({unit, 0, cx, 0, unit, cy, 0, 0, 1},
                product(delta, {1 / unit, 0, -cx / unit, 0, 1 / unit, -cy / unit, 0, 0, 1})),
        d[count_], d[count_ + 1]};
}

double corner_distance(const std::array<double, 9>& a, const std::array<double, 9>& b,
                       const Image& image) {
    const FrameMotion first{a, {}};
    const FrameMotion second{b, {}};
    double largest = 0;
    for (const double x : {0.0, double(image.width)})
        for (const double y : {0.0, double(image.height)}) {
            const Place p = first.to_reference({x, y});
            const Place q = second.to_reference({x, y});
            largest = std::max(largest, std::hypot(p.x - q.x, p.y - q.y));
        }
    return largest;
}

double weighted_median_residual(std::vector<WeightedResidual>& values) {
    std::sort(values.begin(), values.end(),
              [](const WeightedResidual& a, const WeightedResidual& b) {
                  return a.r != b.r ? a.r < b.r : a.weight < b.weight;
              });
    double all = 0;
    for (const WeightedResidual& v : values)
        all += double(v.weight);
    double below = 0;
    for (const WeightedResidual& v : values)
        if ((below += double(v.weight)) >= 0.5 * all) return double(v.r);
    return 0;
}

}  // namespace plenosr
