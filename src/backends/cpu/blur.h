#pragma once

#include <optional>
#include <vector>

#include "backends/cpu/grid_blur.h"
#include "backends/cpu/padded_image.h"
#include "backends/cpu/parallel.h"
#include "plenosr/psf.h"

namespace plenosr::cpu {

// Blur B: image -> padded image.   (B x)(p) = sum_t k(t) x(p - t),   x continued by its border
// pixels. Adjoint B': padded image -> image; values outside the image are folded back to its border
// pixels.
//
// The kernel is stored as a sum of products column(t_y) row(t_x): one product for a separable PSF,
// one per kernel row for any other. GridBlur implements PSFs that change over the image.
class Blur {
public:
    Blur(const PsfGrid& psf, int image_width, int image_height);

    // Moves a grid of PSFs: its node (0, 0) lies at the image's (x0, y0).
    void place(double x0, double y0) {
        if (grid_) grid_->place(x0, y0);
    }

    // The blur with squared taps: squared()' m is diag(B' diag(m) B), except at the image's border.
    Blur squared() const;

    const PaddedShape& padded_shape() const { return shape_; }
    static PaddedShape padded_shape(int image_width, int image_height, int radius) {
        return {image_width, image_height, radius + margin_beyond_blur};
    }
    // Bytes of a grid of PSFs with so many taps in all (0: one PSF), and of its squared copy.
    static std::size_t bytes_for(std::size_t psf_values) { return 2 * sizeof(float) * psf_values; }
    int radius() const { return radius_; }

    // t <- B x
    void forward(const float* x, PaddedImage& t, const Parallel& parallel) const;

    // x <- B' t; each_row(y, row) is called for every finished row while it is in cache
    template <class Fn>
    void adjoint(const PaddedImage& t, float* x, const Parallel& parallel,
                 const Fn& each_row) const {
        parallel.ranges(shape_.image_height, 8, [&](int begin, int end) {
            Scratch scratch(*this);
            for (int y = begin; y < end; ++y) {
                float* row = x + std::size_t(y) * std::size_t(shape_.image_width);
                adjoint_row(t, y, row, scratch);
                each_row(y, row);
            }
        });
    }
    void adjoint(const PaddedImage& t, float* x, const Parallel& parallel) const {
        adjoint(t, x, parallel, [](int, float*) {});
    }

private:
    static constexpr int margin_beyond_blur = 3;  // pixels; see PaddedShape

    struct Product {
        std::vector<float> column;
        std::vector<float> row;           // correlation taps of B
        std::vector<float> row_reversed;  // correlation taps of B'
    };
    struct Tap {
        int padded_row;
        float weight;
    };
    // Row buffers in thread-local memory.
    struct Scratch {
        explicit Scratch(const Blur& blur);
        float* line;      // zero-padded or replicated row
        float* extended;  // the adjoint before folding
    };

    void add_product(const std::vector<float>& column, const std::vector<float>& row);
    void finish();
    void forward_row(const float* x, int padded_row, float* out, const Scratch& scratch) const;
    void adjoint_row(const PaddedImage& t, int image_row, float* out, const Scratch& scratch) const;

    PaddedShape shape_;
    int radius_ = 0;
    std::optional<GridBlur> grid_;
    std::vector<Product> products_;
    // column_taps_[product][image row]: the padded rows that contribute, with folded weights
    std::vector<std::vector<std::vector<Tap>>> column_taps_;
};

}  // namespace plenosr::cpu
