#pragma once

#include "backends/cpu/parallel.h"

namespace plenosr::cpu {

// Decimation D: (D t)(i, j) = t(scale i, scale j), the top-left pixel of each block. Adjoint D':
// puts the value back there, zeros elsewhere. `t` is an image of width x height with the given
// stride; the low-resolution image has floor(width / scale) x floor(height / scale) pixels.
struct Decimate {
    int width;
    int height;
    int scale;
    int low_width() const { return width / scale; }
    int low_height() const { return height / scale; }
    std::size_t low_pixels() const { return std::size_t(low_width()) * std::size_t(low_height()); }

    void forward(const float* t, int stride, float* low, const Parallel& parallel) const;
    void adjoint(const float* low, float* t, int stride, const Parallel& parallel) const;
};

}  // namespace plenosr::cpu
