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
                    fmt::format("the blur kernel is {} x {} pixels; at most {} x {} is supported",
                                psf.width(), psf.height(), most, most));
    return radius;
}

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
    // The sums over rows and columns are the factors, since the kernel sums to 1.
    std::vector<double> column(taps, 0.0);
    std::vector<double> row(taps, 0.0);
    for (int y = 0; y < k.height; ++y)
        for (int x = 0; x < k.width; ++x) {
            const double value = double(k.at(y, x));
            const double product = double(k.at(y, cx)) * double(k.at(cy, x)) / peak;
            if (std::abs(product - value) > 1e-6 * std::abs(peak)) return std::nullopt;
            column[std::size_t(radius - k.height / 2 + y)] += value;
            row[std::size_t(radius - k.width / 2 + x)] += value;
        }
    return PsfFactors{{column.begin(), column.end()}, {row.begin(), row.end()}};
}

}  // namespace plenosr
