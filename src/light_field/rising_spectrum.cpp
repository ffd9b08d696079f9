#include "light_field/rising_spectrum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace plenosr {
namespace {

// Chosen by reasoning and checked on the 71 photographs and rendered views of the header: right
// results rise in at most 13 % of their windows, where half of them are needed. The upper band lies
// around the Nyquist frequency of the views, where removing a blur amplifies most; the lower one
// lies below it, where the views resolve the scene. Sensitivity was not measured, but the widths of
// blur that are found (header) follow from the bands.
constexpr int side_px = 32;       // low-resolution pixels
constexpr int most_windows = 10;  // across, and down: bounds the time; 100 votes suffice
constexpr double inner = 0.24;    // cycles per low-resolution pixel
constexpr double middle = 0.4;
constexpr double outer = 0.6;
constexpr double nyquist = 0.5;      // of the views
constexpr double z_of_votes = 3.09;  // P(N(0, 1) > z) = 0.001
constexpr double least_sigma = 1;    // grey levels: weaker texture may be rounding

using Complex = std::complex<double>;

double hann(int i, int n) {
    const double s = std::sin(std::numbers::pi * (i + 0.5) / n);
    return s * s;
}

struct Powers {
    double low = 0;             // of inner ... middle, mean |DFT|^2
    double high = 0;            // of middle ... end
    double of_white_noise = 0;  // of a sigma of 1
};

// One DFT of a square window, by its definition: few frequencies are needed.
Powers powers_of(const Image& window, double end) {
    const int n = window.width;
    const int most = int(std::ceil(end * side_px));
    double mean = 0;
    for (const float value : window.values)
        mean += double(value) / double(window.values.size());
    const auto wave = [&](int k, int i) {
        return std::polar(1.0, -2 * std::numbers::pi * ((k * i) % n) / n);
    };
    std::vector<Complex> waves;  // [k + most][i], with the Hann window
    for (int k = -most; k <= most; ++k)
        for (int i = 0; i < n; ++i)
            waves.push_back(hann(i, n) * wave(k, i));
    const auto at = [&](int k, int i) { return waves[std::size_t((k + most) * n + i)]; };
    const int count = 2 * most + 1;
    std::vector<Complex> rows(std::size_t(count * n));
    for (int y = 0; y < n; ++y)
        for (int k = -most; k <= most; ++k) {
            Complex sum = 0;
            for (int x = 0; x < n; ++x)
                sum += (double(window.at(y, x)) - mean) * at(k, x);
            rows[std::size_t((k + most) * n + y)] = sum;
        }
    Powers p;
    int low = 0;
    int high = 0;
    for (int v = 0; v <= most; ++v)  // the other half is conjugate
        for (int u = -most; u <= most; ++u) {
            const double f = std::hypot(u, v) / side_px;
            if (f < inner || f >= end) continue;
            Complex sum = 0;
            for (int y = 0; y < n; ++y)
                sum += rows[std::size_t((u + most) * n + y)] * at(v, y);
            (f < middle ? p.low : p.high) += std::norm(sum);
            ++(f < middle ? low : high);
        }
    p.low /= low;
    p.high /= high;
    double squares = 0;
    for (int i = 0; i < n; ++i)
        squares += hann(i, n) * hann(i, n);
    p.of_white_noise = squares * squares;
    return p;
}

}  // namespace

bool SpectrumVotes::is_significant() const {
    return rising > 0.5 * windows + 0.5 * z_of_votes * std::sqrt(double(windows));
}

SpectrumVotes rising_spectrum(const Image& result, const Image& reference, int scale) {
    SpectrumVotes votes;
    const int across = std::min(most_windows, reference.width / side_px);
    const int down = std::min(most_windows, reference.height / side_px);
    for (int row = 0; row < down; ++row)
        for (int col = 0; col < across; ++col) {
            const Box low{col * (reference.width - side_px) / std::max(1, across - 1),
                          row * (reference.height - side_px) / std::max(1, down - 1), side_px,
                          side_px};
            const Powers seen = powers_of(luma(crop(reference, low)), nyquist);
            if (seen.high >= seen.low || seen.low < least_sigma * least_sigma * seen.of_white_noise)
                continue;
            const Box high{low.x0 * scale, low.y0 * scale, side_px * scale, side_px * scale};
            const Powers made = powers_of(luma(crop(result, high)), outer);
            ++votes.windows;
            votes.rising += made.high >= made.low;
        }
    return votes;
}

}  // namespace plenosr
