#pragma once

#include <array>
#include <cstddef>

namespace plenosr {

// Vector code of the denoisers. Blocks are 8 x 8.
inline constexpr int block = 8;
inline constexpr int block_area = block * block;
inline constexpr int most_blocks = 16;  // of a stack

// sums[i] += sum over 4 rows and 4 columns of (a - b)^2, i-th group of 4 columns; `stride` of both
void add_square_differences(const float* a, const float* b, std::ptrdiff_t stride, int groups,
                            float* sums);

// The matrix of the orthonormal cosine transform, row by row.
const std::array<float, block_area>& cosine_rows();

// out <- the block's cosine transform (orthonormal), and its inverse
void cosine_transform(const float* in, std::ptrdiff_t stride, float* out);
void inverse_cosine_transform(const float* in, float* out);

// A stack of n blocks' transforms (n a power of 2), after Walsh-Hadamard across the blocks; returns
// the variance that is left in units of the noise's: the number of coefficients that were kept.
float filter_by_threshold(float* stack, int n, float threshold);
// … each coefficient times g^2 / (g^2 + variance), with g of the guide's stack.
float filter_by_guide(float* stack, float* guide, int n, float variance);

// sum += w block; weight += w, both with `stride`
void add_block(const float* values, float w, float* sum, float* weight, std::ptrdiff_t stride);

// weighted += e v, weights += e with e = exp(-d scale) for each of n values
void add_weighted_row(const float* distance, float scale, const float* v, float* weighted,
                      float* weights, int n);

}  // namespace plenosr
