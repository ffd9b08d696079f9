#pragma once

#include <hwy/base.h>

#include <cstdint>

#include "backends/cpu/padded_image.h"

namespace plenosr::cpu {

// Coefficients of a symmetric stencil of radius R = taps - 1 on a frame: for each pixel the half
// plane of neighbours (dy, dx) with dy > 0, or dy = 0 and dx >= 0; plane k = dy (2R + 1) + dx.
// Memory order: (row, plane, column), zeros around as in Frame.
template <class T>
struct StencilView {
    T* first;  // plane 0 of frame row 0
    std::int64_t plane_stride;
    std::int64_t row_stride;
    int taps;
    int width;
    int height;
    T* plane(int row, int k) const { return first + row * row_stride + k * plane_stride; }
};

// Turns one row accumulated by accumulate_stencil() into planes.
void emit_stencil_row(const float* slots, const StencilView<float>& stencil, int row);
void emit_stencil_row(const float* slots, const StencilView<hwy::float16_t>& stencil, int row);

// Rows [begin, end) of out <- N in.
void apply_stencil(const StencilView<const float>& stencil, const Frame& in, Frame& out, int begin,
                   int end);
void apply_stencil(const StencilView<const hwy::float16_t>& stencil, const Frame& in, Frame& out,
                   int begin, int end);

}  // namespace plenosr::cpu
