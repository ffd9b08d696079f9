#pragma once

#include <array>
#include <cstddef>

namespace plenosr {

// Vector code of the denoisers.
inline constexpr int block = 8;  // pixels per side
inline constexpr int block_area = block * block;
inline constexpr int most_blocks = 16;  // in a stack; a power of 2

// sums[i] += sum of (a - b)^2 over 4 rows and the i-th group of 4 columns; a and b have `stride`
void add_square_differences(const float* a, const float* b, std::ptrdiff_t stride, int groups,
                            float* sums);

// The matrix of the orthonormal cosine transform, row by row.
const std::array<float, block_area>& cosine_rows();

// out <- the block's cosine transform (orthonormal), and its inverse
void cosine_transform(const float* in, std::ptrdiff_t stride, float* out);
void inverse_cosine_transform(const float* in, float* out);

// Filters a stack of n transformed blocks (n a power of 2) after a Walsh-Hadamard transform across
// the blocks, by setting coefficients below `threshold` to zero. Returns the remaining variance in
// units of the noise's variance: the number of other coefficients.
float filter_by_threshold(float* stack, int n, float threshold);
// The same, by multiplying each coefficient by g^2 / (g^2 + variance) with g of the guide's stack.
float filter_by_guide(float* stack, float* guide, int n, float variance);

// sum += w values, weight += w on one block; sum and weight have `stride`
void add_block(const float* values, float w, float* sum, float* weight, std::ptrdiff_t stride);

// weighted += e v, weights += e with e = exp(-d scale) for each of n values
void add_weighted_row(const float* distance, float scale, const float* v, float* weighted,
                      float* weights, int n);

}  // namespace plenosr
