#pragma once

#include <cstddef>

namespace plenosr::opencl {

constexpr int round_up(int n, int multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

// An image of the solver: rows a multiple of 16 floats apart, zeros after the last column
// (src/kernels/access.h).
struct PlaneShape {
    int width = 0;
    int height = 0;
    int stride() const { return round_up(width, 16); }
    std::size_t size() const { return std::size_t(stride()) * std::size_t(height); }
    std::size_t bytes() const { return size() * sizeof(float); }
};

// Floats between the first values of two rows of a vector.
constexpr int vector_stride(int width) {
    return round_up(width > 1 ? width : 1, 16);
}
constexpr std::size_t vector_bytes(std::size_t rows, int width) {
    return rows * std::size_t(vector_stride(width)) * sizeof(float);
}

// Pixels that a padded image has beyond the blur's radius. Sample positions are clamped so that all
// taps lie inside; with this margin that changes nothing, because beyond the blur's radius the
// blurred, replicated image is constant along the normal of the border.
constexpr int sampling_margin = 3;

// An image with `margin` replicated border pixels around it, surrounded by zeros, so that vector
// loads and the stencil's neighbours need no bounds checks.
struct PaddedShape {
    static constexpr int zero_rows = 3;   // PAD_ROWS of access.h
    static constexpr int zero_cols = 16;  // PAD_COLS; on the right there are twice as many

    PlaneShape image;
    int margin = 0;
    static PaddedShape for_sampling(PlaneShape image, int blur_radius) {
        return {image, blur_radius + sampling_margin};
    }
    int width() const { return image.width + 2 * margin; }
    int height() const { return image.height + 2 * margin; }
    int stride() const { return round_up(width() + 3 * zero_cols, 16); }
    int rows() const { return height() + 2 * zero_rows; }
    std::size_t size() const { return std::size_t(stride()) * std::size_t(rows()); }
    std::size_t bytes() const { return size() * sizeof(float); }
    std::size_t cells() const { return std::size_t(width()) * std::size_t(height()); }
};

}  // namespace plenosr::opencl
