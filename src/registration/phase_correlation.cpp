#include "registration/phase_correlation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "registration/registration_parameters.h"

namespace plenosr {
namespace {

using Complex = std::complex<double>;

// Forward Fourier transform in place, sum_j x_j exp(-2 pi i j k / n); n is a power of two.
void transform(Complex* x, std::size_t n, std::size_t stride) {
    for (std::size_t i = 1, j = 0; i < n; ++i) {  // bit reversal
        std::size_t bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) std::swap(x[i * stride], x[j * stride]);
    }
    for (std::size_t length = 2; length <= n; length *= 2) {
        const Complex step = std::polar(1.0, -2 * std::numbers::pi / double(length));
        for (std::size_t begin = 0; begin < n; begin += length) {
            Complex w = 1;
            for (std::size_t k = 0; k < length / 2; ++k) {
                Complex& a = x[(begin + k) * stride];
                Complex& b = x[(begin + k + length / 2) * stride];
                const Complex t = w * b;
                b = a - t;
                a += t;
                w *= step;
            }
        }
    }
}

struct Spectrum {
    std::size_t width;
    std::size_t height;
    std::vector<Complex> values;

    void transform_all() {
        for (std::size_t y = 0; y < height; ++y)
            transform(values.data() + y * width, width, 1);
        for (std::size_t x = 0; x < width; ++x)
            transform(values.data() + x, height, width);
    }
};

Spectrum spectrum_of(const Image& image) {
    Spectrum s{
        std::bit_ceil(std::size_t(image.width)), std::bit_ceil(std::size_t(image.height)), {}};
    s.values.assign(s.width * s.height, 0);
    const double mean =
        std::accumulate(image.values.begin(), image.values.end(), 0.0) / double(image.pixels());
    const auto hann = [](int i, int n) {
        return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (i + 0.5) / n);
    };
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            s.values[std::size_t(y) * s.width + std::size_t(x)] =
                (double(image.at(y, x)) - mean) * hann(x, image.width) * hann(y, image.height);
    s.transform_all();
    return s;
}

}  // namespace

Place phase_correlation(const Image& image, const Image& moved) {
    const Spectrum a = spectrum_of(image);
    Spectrum c = spectrum_of(moved);
    const auto frequency = [](std::size_t i, std::size_t n) {
        return (i <= n / 2 ? double(i) : double(i) - double(n)) / double(n);
    };
    for (std::size_t y = 0; y < c.height; ++y)
        for (std::size_t x = 0; x < c.width; ++x) {
            Complex& value = c.values[y * c.width + x];
            value *= std::conj(a.values[y * c.width + x]);
            const double fx = frequency(x, c.width) / registration::phase_cutoff;
            const double fy = frequency(y, c.height) / registration::phase_cutoff;
            value *= std::exp(-0.5 * (fx * fx + fy * fy)) / std::max(std::abs(value), 1e-12);
            value = std::conj(value);  // the forward transform of the conjugate is the inverse
        }
    c.transform_all();
    const auto peak =
        std::max_element(c.values.begin(), c.values.end(),
                         [](const Complex& p, const Complex& q) { return p.real() < q.real(); });
    const std::size_t at = std::size_t(peak - c.values.begin());
    return {frequency(at % c.width, c.width) * double(c.width),
            frequency(at / c.width, c.height) * double(c.height)};
}

}  // namespace plenosr
