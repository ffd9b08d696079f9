#pragma once

#include "backends/cpu/buffer.h"

namespace plenosr::cpu {

// The one border rule of the engine. An image is continued by its border pixels (replicated), by
// `margin` pixels on each side. Sample positions are clamped so that all taps lie inside the padded
// image. With margin = blur radius + 3 that clamping changes nothing: beyond the blur radius the
// blurred, replicated image is constant along the normal of the border.
//
// Padded pixel (x + margin, y + margin) is image pixel (x, y). Zeros surround the padded image, so
// that vector loads and the stencil's neighbours need no bounds checks.
struct PaddedShape {
    static constexpr int zero_rows = 3;
    static constexpr int zero_cols = 16;

    int image_width = 0;
    int image_height = 0;
    int margin = 0;

    int width() const { return image_width + 2 * margin; }
    int height() const { return image_height + 2 * margin; }
    int stride() const { return (width() + 2 * zero_cols + 15) / 16 * 16; }
    std::size_t size() const {
        return std::size_t(height() + 2 * zero_rows) * std::size_t(stride());
    }
    std::size_t bytes() const { return Vector::bytes_for(size()); }  // of one padded image
    std::size_t offset(int row) const {
        return std::size_t(row + zero_rows) * std::size_t(stride()) + std::size_t(zero_cols);
    }
};

class PaddedImage {
public:
    PaddedImage() = default;
    explicit PaddedImage(PaddedShape shape) : shape_(shape), values_(shape.size()) {}

    const PaddedShape& shape() const { return shape_; }
    float* row(int y) { return values_.data() + shape_.offset(y); }
    const float* row(int y) const { return values_.data() + shape_.offset(y); }
    std::size_t bytes() const { return values_.bytes(); }

private:
    PaddedShape shape_;
    Vector values_;
};

}  // namespace plenosr::cpu
