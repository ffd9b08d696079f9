#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace plenosr {

// ln k! for an integer k: a table, then Stirling's series (error below 1e-8).
inline double log_factorial(double k) {
    static const std::array<double, 10> table = [] {
        std::array<double, 10> t{};
        for (std::size_t i = 1; i < t.size(); ++i)
            t[i] = t[i - 1] + std::log(double(i));
        return t;
    }();
    if (k < double(table.size())) return table[std::size_t(k)];
    return (k + 0.5) * std::log(k) - k + 0.5 * std::log(2 * std::numbers::pi) + 1 / (12 * k) -
           1 / (360 * k * k * k);
}

// A Poisson variable: an integer k with the probability mean^k e^-mean / k!. uniform(n) is the n-th
// of independent uniform numbers on (0, 1].
template <class Uniform>
double poisson_variable(double mean, const Uniform& uniform) {
    if (mean <= 0) return 0;
    if (mean < 10) {  // the rejection below is valid for means of at least 10
        // Inversion: the first k whose cumulative probability reaches u.
        const double u = uniform(0U);
        double p = std::exp(-mean);
        double sum = p;
        double k = 0;
        while (sum < u && k < 1000) {
            k += 1;
            p *= mean / k;
            sum += p;
        }
        return k;
    }
    // Transformed rejection (PTRS, Hörmann 1993, whose constants these are):
    //   k = floor((2a/s + b)(u - 1/2) + mean + 0.43),  s = 1/2 - |u - 1/2|,
    // accepted at once inside a box below the density, else after comparison with the density.
    const double b = 0.931 + 2.53 * std::sqrt(mean);
    const double a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    const double box = 0.9277 - 3.6224 / (b - 2);
    for (unsigned n = 0;; n += 2) {
        const double u = uniform(n) - 0.5;
        const double v = uniform(n + 1);
        const double s = 0.5 - std::abs(u);
        if (s <= 0) continue;
        const double k = std::floor((2 * a / s + b) * u + mean + 0.43);
        if (s >= 0.07 && v <= box) return k;
        if (k < 0 || (s < 0.013 && v > s)) continue;
        if (std::log(v * inverse_alpha / (a / (s * s) + b)) <=
            k * std::log(mean) - mean - log_factorial(k))
            return k;
    }
}

}  // namespace plenosr
