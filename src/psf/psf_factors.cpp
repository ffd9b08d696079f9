#include "psf/psf_factors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plenosr/error.h"

namespace plenosr {

int psf_radius(const PsfGrid& psf) {
    const int radius = std::max(psf.width(), psf.height()) / 2;
    constexpr int most = 2 * largest_psf_radius + 1;
    if (radius > largest_psf_radius)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("The PSF has {}x{} pixels; at most {}x{} are supported.",
                                psf.width(), psf.height(), most, most));
    return radius;
}

// Relative to the peak. Kernels are floats, whose rounding errors are about 1e-7; a larger
// tolerance would replace the PSF by a different one.
constexpr double separable_tolerance = 1e-6;

std::optional<PsfFactors> psf_factors(const Psf& psf) {
    const Image& k = psf.kernel;
    int cy = 0;
    int cx = 0;
    for (int y = 0; y < k.height; ++y)
        for (int x = 0; x < k.width; ++x)
            if (std::abs(k.at(y, x)) > std::abs(k.at(cy, cx))) cy = y, cx = x;
    const double peak = double(k.at(cy, cx));
    const int radius = psf_radius(psf);
    const std::size_t taps = std::size_t(2 * radius + 1);
    // The kernel sums to 1, so the factors are the sums over rows and columns.
    std::vector<double> column(taps, 0.0);
    std::vector<double> row(taps, 0.0);
    for (int y = 0; y < k.height; ++y)
        for (int x = 0; x < k.width; ++x) {
            const double value = double(k.at(y, x));
            const double product = double(k.at(y, cx)) * double(k.at(cy, x)) / peak;
            if (std::abs(product - value) > separable_tolerance * std::abs(peak))
                return std::nullopt;
            column[std::size_t(radius - k.height / 2 + y)] += value;
            row[std::size_t(radius - k.width / 2 + x)] += value;
        }
    return PsfFactors{{column.begin(), column.end()}, {row.begin(), row.end()}};
}

}  // namespace plenosr
