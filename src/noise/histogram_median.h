#pragma once

#include <algorithm>
#include <cstddef>

namespace plenosr {

// The median of `all` non-negative values, in bins. The histogram may hold fewer values: those that
// are missing are counted as larger than all others. Within a bin values are taken to lie evenly.
// If half or more of the values are missing, the result is the start of the last bin.
template <class Counts>
double histogram_median(const Counts& counts, double all) {
    double below = 0;
    std::size_t bin = 0;
    while (bin + 1 < counts.size() && below + double(counts[bin]) <= all / 2)
        below += double(counts[bin++]);
    const auto in_bin = double(counts[bin]);
    const double part = in_bin > 0 ? std::min(1.0, (all / 2 - below) / in_bin) : 0.0;
    return double(bin) + part;
}

}  // namespace plenosr
