#pragma once

#include <vector>

#include "backends/cpu/padded_image.h"
#include "plenosr/psf.h"

namespace plenosr::cpu {

// out <- the part of `extended` on the image; values beyond it are added to its end pixels.
// `extended` reaches `pad` pixels beyond the image on both sides.
void fold_row(const float* extended, int pad, int width, float* out);

// Rows of the blur B with PSFs that change over the image, image -> padded image, and of its
// adjoint:
//   (B x)(p) = sum_t k_p(t) x(p - t),      k_p = sum_rc down_r(p_y) across_c(p_x) K_rc
// All pixels of a padded row share the weights down_r of the grid's rows, so the row is
//   sum_c across_c(p_x) (k_c * x)(p),      k_c = sum_r down_r K_rc
// with at most two columns c of the grid at each pixel.
class GridBlur {
public:
    GridBlur(const PsfGrid& psf, PaddedShape shape);

    // Squared PSFs: approximates diag(B' M B), since the interpolated PSF is not squared.
    GridBlur squared() const;
    // Moves node (0, 0) to the image's (x0, y0).
    void place(double x0, double y0);

    void forward_row(const float* x, int padded_row, float* out) const;
    void adjoint_row(const PaddedImage& t, int image_row, float* out) const;

private:
    // The pixels to which a column of the grid contributes.
    struct Column {
        int begin = 0;  // padded columns [begin, end)
        int end = 0;
        std::vector<float> across;  // its weight at each of them
    };

    // taps[i] += sum_r down_r K_rc(kernel_row, i), i forwards or reversed
    void add_taps(int padded_row, int col, int kernel_row, bool reversed, float* taps) const;

    PsfGrid psf_;
    PaddedShape shape_;
    int radius_x_;
    int radius_y_;
    std::vector<Column> columns_;
    std::vector<PsfGrid::Between> down_;  // per padded row
};

}  // namespace plenosr::cpu
