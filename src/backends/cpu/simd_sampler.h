#pragma once

#include <cstdint>

namespace plenosr::cpu {

// A sample within its row of samples: the padded column of its first tap, and the fractions.
struct Sample {
    std::int32_t x;
    float fx;
    float fy;
};

// Samples whose first tap lies on one padded row, `top`. `taps` is 4 (bicubic) or 2 (bilinear).

// out[i] = sum_{j, k} wy_j wx_k top[j stride + x_i + k]
void gather_samples(int taps, const Sample* samples, int n, const float* top, std::int64_t stride,
                    float* out);

// The transpose, for the footprint rows j in [first, last) only:
// top[j stride + x_i + k] += wy_j wx_k values[i]
void scatter_samples(int taps, const Sample* samples, int n, const float* values, float* top,
                     std::int64_t stride, int first, int last);

// Accumulates P' diag(m) P: for each sample, pixel i of footprint row j and neighbour (dy, dx) in
// the half plane, m wy_j wy_{j+dy} wx_i wx_{i+dx} is added to
//   rows[j][(x + i) slots + (taps - 1) + dy (2 taps - 1) + dx],   slots = taps (2 taps - 1).
void accumulate_stencil(int taps, const Sample* samples, int n, const float* m, float* const* rows);

}  // namespace plenosr::cpu
