#pragma once

#include <cstdint>

namespace plenosr::cpu {

// One neighbour of a periodic stencil: out(x) += c((x - begin) mod period) in(x + offset), with
// `pattern` holding c over and over, for `periodic_lanes` periods.
struct PeriodicTap {
    std::int64_t offset;
    const float* pattern;
};
inline constexpr int periodic_lanes = 8;  // of the longest vector

// out[x] <- sum of all taps, begin <= x < end; offsets count from `in`.
void apply_periodic_row(const PeriodicTap* taps, int count, int period, const float* in, float* out,
                        int begin, int end);

}  // namespace plenosr::cpu
