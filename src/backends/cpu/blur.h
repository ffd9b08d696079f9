#pragma once

#include <optional>
#include <vector>

#include "backends/cpu/grid_blur.h"
#include "backends/cpu/padded_image.h"
#include "backends/cpu/parallel.h"
#include "plenosr/psf.h"

namespace plenosr::cpu {

// Blur B: image -> frame.   (B x)(p) = sum_t k(t) x(p - t),   x continued by its border pixels.
// Adjoint B': frame -> image; what falls outside the image is folded back to its border pixels.
//
// The kernel is kept as a sum of products column(t_y) row(t_x): one product for a separable PSF,
// one per kernel row for any other. PSFs that change over the image are left to GridBlur.
class Blur {
public:
    Blur(const PsfGrid& psf, int image_width, int image_height);

    // A grid of PSFs is moved: its node (0, 0) lies at the image's (x0, y0).
    void place(double x0, double y0) {
        if (grid_) grid_->place(x0, y0);
    }

    // The blur whose taps are the squares of this one's: B2' m is diag(B' diag(m) B), up to
    // the image's border.
    Blur squared() const;

    FrameShape frame_shape() const { return shape_; }
    int radius() const { return radius_; }

    // t <- B x
    void forward(const float* x, Frame& t, const Parallel& parallel) const;

    // Rows [begin, end) of x <- B' t; `each_row(y, row)` sees every finished row while it is warm.
    template <class Fn>
    void adjoint(const Frame& t, float* x, const Parallel& parallel, const Fn& each_row) const {
        parallel.ranges(shape_.image_height, 8, [&](int begin, int end) {
            Scratch scratch(*this);
            for (int y = begin; y < end; ++y) {
                float* row = x + std::size_t(y) * std::size_t(shape_.image_width);
                adjoint_row(t, y, row, scratch);
                each_row(y, row);
            }
        });
    }
    void adjoint(const Frame& t, float* x, const Parallel& parallel) const {
        adjoint(t, x, parallel, [](int, float*) {});
    }

private:
    struct Product {
        std::vector<float> column;
        std::vector<float> row;           // as correlation taps of the forward direction
        std::vector<float> row_reversed;  // … and of the adjoint
    };
    struct Tap {
        int frame_row;
        float weight;
    };
    // Row buffers; made once per range of rows, in thread-local memory that is kept.
    struct Scratch {
        explicit Scratch(const Blur& blur);
        float* line;      // zero-padded or replicated row
        float* extended;  // the adjoint before folding
    };

    void add_product(const std::vector<float>& column, const std::vector<float>& row);
    void finish();
    void forward_row(const float* x, int frame_row, float* out, const Scratch& scratch) const;
    void adjoint_row(const Frame& t, int image_row, float* out, const Scratch& scratch) const;

    FrameShape shape_;
    int radius_ = 0;
    std::optional<GridBlur> grid_;
    std::vector<Product> products_;
    // column_taps_[product][image row]: which frame rows it reaches, with folded weights
    std::vector<std::vector<std::vector<Tap>>> column_taps_;
};

}  // namespace plenosr::cpu
