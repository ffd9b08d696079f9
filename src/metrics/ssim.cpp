#include "metrics/ssim.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace plenosr {
namespace {

constexpr int radius = ssim_window / 2;

using Window = std::array<double, std::size_t(ssim_window)>;

Window gaussian_window() {
    Window g{};
    for (int t = -radius; t <= radius; ++t)
        g[std::size_t(t + radius)] = std::exp(-double(t * t) / (2 * 1.5 * 1.5));
    const double sum = std::accumulate(g.begin(), g.end(), 0.0);
    for (double& value : g)
        value /= sum;
    return g;
}

// Gaussian-weighted means of x, y, x², y² and xy along one row of the image.
struct Moments {
    std::array<std::vector<double>, 5> rows;
    explicit Moments(std::size_t width) { rows.fill(std::vector<double>(width)); }
};

// m <- vertical Gaussian means over rows y0 to y0 + 10
void vertical(const Image& x, const Image& y, int y0, const Window& g, Moments& m) {
    const std::size_t width = std::size_t(x.width);
    for (auto& row : m.rows)
        std::fill(row.begin(), row.end(), 0.0);
    double* mx = m.rows[0].data();
    double* my = m.rows[1].data();
    double* mxx = m.rows[2].data();
    double* myy = m.rows[3].data();
    double* mxy = m.rows[4].data();
    for (int t = 0; t < ssim_window; ++t) {
        const float* px = &x.values[x.index(y0 + t, 0)];
        const float* py = &y.values[y.index(y0 + t, 0)];
        const double weight = g[std::size_t(t)];
        for (std::size_t i = 0; i < width; ++i) {
            const double a = px[i];
            const double b = py[i];
            mx[i] += weight * a;
            my[i] += weight * b;
            mxx[i] += weight * (a * a);
            myy[i] += weight * (b * b);
            mxy[i] += weight * (a * b);
        }
    }
}

// out(i) <- sum_t g(t) in(i + t)
void horizontal(const Moments& in, const Window& g, Moments& out) {
    for (std::size_t f = 0; f < in.rows.size(); ++f) {
        const double* source = in.rows[f].data();
        double* result = out.rows[f].data();
        const std::size_t count = out.rows[f].size();
        std::fill(result, result + count, 0.0);
        for (std::size_t t = 0; t < std::size_t(ssim_window); ++t)
            for (std::size_t i = 0; i < count; ++i)
                result[i] += g[t] * source[i + t];
    }
}

double sum_of_ssim(const Moments& m, const SsimForm& form) {
    const double c1 = (0.01 * form.range) * (0.01 * form.range);
    const double c2 = (0.03 * form.range) * (0.03 * form.range);
    double sum = 0;
    for (std::size_t i = 0; i < m.rows[0].size(); ++i) {
        const double mx = m.rows[0][i];
        const double my = m.rows[1][i];
        const double sxx = form.covariance * (m.rows[2][i] - mx * mx);
        const double syy = form.covariance * (m.rows[3][i] - my * my);
        const double sxy = form.covariance * (m.rows[4][i] - mx * my);
        sum += (2 * mx * my + c1) * (2 * sxy + c2) / ((mx * mx + my * my + c1) * (sxx + syy + c2));
    }
    return sum;
}

}  // namespace

double mean_ssim(const Image& x, const Image& y, const SsimForm& form) {
    const Window g = gaussian_window();
    const int rows = x.height - 2 * radius;
    const int cols = x.width - 2 * radius;
    // One sum per row, added in order, so that the result does not depend on the threads.
    std::vector<double> row_sums(static_cast<std::size_t>(rows));
    tbb::parallel_for(tbb::blocked_range<int>(0, rows), [&](const tbb::blocked_range<int>& band) {
        Moments columns(std::size_t(x.width));
        Moments windows{std::size_t(cols)};
        for (int row = band.begin(); row < band.end(); ++row) {
            vertical(x, y, row, g, columns);
            horizontal(columns, g, windows);
            row_sums[std::size_t(row)] = sum_of_ssim(windows, form);
        }
    });
    return std::accumulate(row_sums.begin(), row_sums.end(), 0.0) / rows / cols;
}

}  // namespace plenosr
