#pragma once

#include <optional>
#include <vector>

#include "problem/problem.h"

namespace plenosr {

// Shifted frames sample the image on lattices of `scale` pixels, so that the normal operator
// N = sum_k P_k' M_k P_k repeats with that period wherever no frame ends:
//   N(p, p + d) = sum_k m_k c_k(p.x mod scale, d.x) c_k(p.y mod scale, d.y)
//   c_k(phase, d) = sum over taps i of w_i w_{i + d} with (phase - i) on the lattice of frame k
// There are scale^2 stencils in all, and no memory per pixel. Coordinates are those of the image,
// which may be continued beyond its border.
struct PeriodicNormal {
    int period = 1;
    int taps = 4;
    std::vector<float> weights;  // m_k of every view
    // Pixels where all that samples them is there; elsewhere the samples have to be asked.
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

// Where the stencils hold on a frame, an image with `margin` pixels around it, in its coordinates.
// Samples whose places were clamped lie along the frame's border.
Box interior_on_frame(const PeriodicNormal& normal, int frame_width, int frame_height, int margin);

// The stencils row by row, without what vanishes: row y of the interior has the taps starts[y mod
// period] … starts[y mod period + 1] - 1, and at its pixel x tap t has the coefficient
// patterns[t length + x mod period]; the patterns go on periodically up to `length`.
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

// Nothing where a view is not a shifted frame, where samples of a frame have several weights or
// holes, or where frames overlap nowhere.
std::optional<PeriodicNormal> periodic_normal(const Problem& problem);

}  // namespace plenosr
