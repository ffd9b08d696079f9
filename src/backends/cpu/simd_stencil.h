#pragma once

#include <hwy/base.h>

#include <cstdint>

#include "backends/cpu/padded_image.h"

namespace plenosr::cpu {

// Stored neighbours per pixel of a symmetric stencil of radius R = taps - 1: the half plane (dy,
// dx) with dy > 0, or dy = 0 and dx >= 0. Neighbour k = dy (2R + 1) + dx.
constexpr int stencil_neighbours(int taps) {
    return taps * (2 * taps - 1) - (taps - 1);
}

// Coefficients of such a stencil on a padded image. Memory order: (row, neighbour, column), with
// zeros around as in PaddedImage.
template <class T>
struct StencilView {
    T* first;  // neighbour 0 of padded row 0
    std::int64_t neighbour_stride;
    std::int64_t row_stride;
    int taps;
    int width;
    int height;
    T* neighbour(int row, int k) const { return first + row * row_stride + k * neighbour_stride; }
};

// Transposes one row of accumulate_stencil() from (column, neighbour) to (neighbour, column).
void emit_stencil_row(const float* slots, const StencilView<hwy::float16_t>& stencil, int row);

// Rows [begin, end) of out <- N in.
void apply_stencil(const StencilView<const hwy::float16_t>& stencil, const PaddedImage& in,
                   PaddedImage& out, int begin, int end);

}  // namespace plenosr::cpu
