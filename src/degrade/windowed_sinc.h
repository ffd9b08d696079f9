#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace plenosr {

// Lobes of the windowed sinc on each side. Chosen by reasoning, not tuned: enough that
// interpolation errors are small against the camera blur.
inline constexpr int sinc_lobes = 4;
using SincWeights = std::array<float, 2 * sinc_lobes>;

// w(t) = sinc(t) sinc(t / lobes) at t = i - fraction, i = -lobes + 1, ..., lobes, normalised to
// sum 1
inline SincWeights sinc_weights(double fraction) {
    const auto sinc = [](double t) {
        return t == 0 ? 1.0 : std::sin(std::numbers::pi * t) / (std::numbers::pi * t);
    };
    std::array<double, 2 * sinc_lobes> w{};
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double t = int(i) - sinc_lobes + 1 - fraction;
        w[i] = std::abs(t) < sinc_lobes ? sinc(t) * sinc(t / sinc_lobes) : 0.0;
        sum += w[i];
    }
    SincWeights result{};
    for (std::size_t i = 0; i < w.size(); ++i)
        result[i] = float(w[i] / sum);
    return result;
}

}  // namespace plenosr
