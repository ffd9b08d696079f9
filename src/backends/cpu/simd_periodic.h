#pragma once

#include <cstdint>

namespace plenosr::cpu {

// One neighbour of a periodic stencil: out(x) += c((x - begin) mod period) in(x + offset).
// `pattern` repeats c for `periodic_lanes` periods.
struct PeriodicTap {
    std::int64_t offset;
    const float* pattern;
};
inline constexpr int periodic_lanes = 8;  // floats in the longest vector used

// out[x] <- sum of all taps, begin <= x < end; offsets are relative to `in`.
void apply_periodic_row(const PeriodicTap* taps, int count, int period, const float* in, float* out,
                        int begin, int end);

}  // namespace plenosr::cpu
