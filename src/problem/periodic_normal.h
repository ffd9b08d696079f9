#pragma once

#include <optional>
#include <vector>

#include "problem/problem.h"

namespace plenosr {

// Shifted frames sample the image on lattices of `scale` pixels, so that the normal operator
// N = sum_k P_k' M_k P_k repeats with that period, except near the ends of the frames:
//   N(p, p + d) = sum_k m_k c_k(p.x mod scale, d.x) c_k(p.y mod scale, d.y)
//   c_k(phase, d) = sum over taps i of w_i w_{i + d} with (phase - i) on the lattice of frame k
// There are scale^2 stencils in all, and no memory per pixel. Coordinates are those of the image;
// they may lie beyond its border.
struct PeriodicNormal {
    int period = 1;
    int taps = 4;
    std::vector<float> weights;  // m_k of every view
    // Pixels whose samples are all present. Elsewhere N is applied sample by sample.
    Box interior;
    // coefficients[((phase_y period + phase_x) (2 taps - 1) + dy + taps - 1) (2 taps - 1) + dx +
    // taps - 1], phases counted from the image's pixel (0, 0)
    std::vector<float> coefficients;

    float at(int phase_y, int phase_x, int dy, int dx) const {
        const int span = 2 * taps - 1;
        return coefficients[std::size_t(
            ((phase_y * period + phase_x) * span + dy + taps - 1) * span + dx + taps - 1)];
    }
};

// The interior in coordinates of the padded image, which has `margin` more pixels on each side.
// Samples whose places were clamped lie along its border, so the border is left out.
Box interior_on_padded_image(const PeriodicNormal& normal, int padded_width, int padded_height,
                             int margin);

// The stencils row by row, without taps that are zero. Row y of the interior has the taps
// starts[y mod period] … starts[y mod period + 1] - 1. At pixel x of the row tap t has the
// coefficient patterns[t length + x mod period]; the patterns are repeated up to `length`.
struct PeriodicRows {
    struct Tap {
        int dx;
        int dy;
    };
    std::vector<int> starts;
    std::vector<Tap> taps;
    std::vector<float> patterns;
};
PeriodicRows periodic_rows(const PeriodicNormal& normal, const Box& interior, int margin,
                           int length);

// Empty if a view is not a shifted frame, if the samples of a frame have different weights or gaps,
// or if the frames do not overlap.
std::optional<PeriodicNormal> periodic_normal(const Problem& problem);

}  // namespace plenosr
