#pragma once

#include <vector>

#include "backends/cpu/padded_image.h"
#include "plenosr/psf.h"

namespace plenosr::cpu {

// out <- the part of `extended` that lies on the image, what lies beyond folded to its ends;
// `extended` reaches `pad` pixels beyond the image on both sides.
void fold_row(const float* extended, int pad, int width, float* out);

// Rows of the blur B with PSFs that change over the image, image -> frame, and of its adjoint:
//   (B x)(p) = sum_t k_p(t) x(p - t),      k_p = sum_rc down_r(p_y) across_c(p_x) K_rc
// All pixels of a frame row share the weights down_r of the grid's rows, so that it is
//   sum_c across_c(p_x) (k_c * x)(p),      k_c = sum_r down_r K_rc
// and at most two columns c of the grid take part at one place.
class GridBlur {
public:
    GridBlur(const PsfGrid& psf, FrameShape shape);

    // Squared PSFs: of the diagonal of B' M B, up to what interpolation changes.
    GridBlur squared() const;
    // Moves node (0, 0) to the image's (x0, y0).
    void place(double x0, double y0);

    void forward_row(const float* x, int frame_row, float* out) const;
    void adjoint_row(const Frame& t, int image_row, float* out) const;

private:
    // Where a column of the grid takes part.
    struct Column {
        int begin = 0;  // frame columns [begin, end)
        int end = 0;
        std::vector<float> across;  // its weights there
    };

    // taps[i] (+)= sum_r down_r K_rc(row, i), forwards or reversed
    void add_taps(int frame_row, int col, int kernel_row, bool reversed, float* taps) const;

    PsfGrid psf_;
    FrameShape shape_;
    int radius_x_;
    int radius_y_;
    std::vector<Column> columns_;
    std::vector<PsfGrid::Between> down_;  // per frame row
};

}  // namespace plenosr::cpu
