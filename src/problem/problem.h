#pragma once

#include <vector>

#include "plenosr/motion.h"
#include "plenosr/psf.h"
#include "plenosr/reconstruct.h"
#include "problem/prior.h"

namespace plenosr {

// A low-resolution view, or frame, as the solver uses it.
struct Observation {
    double u = 0;     // columns from the reference view
    double v = 0;     // rows
    Image values;     // y_k, low resolution
    Image disparity;  // d_k on the view's own grid, in high-resolution pixels per step: at high
                      // resolution for the chain, every scale-th value for the sampling operator
    Image weight;     // m per low-resolution pixel; empty: 1
    // High-resolution coordinates, in the problem's image, of the view's pixel (0, 0); tiles use
    // crops of the views. Sample (i, j) is B x at (x0 + scale j + u d, y0 + scale i + v d) + f. It
    // lies further by the phase of the sampling, which the PSF of B has (plenosr/psf.h).
    double x0 = 0;
    double y0 = 0;
    Image displacement = {};  // f, high-resolution pixels, two channels: for frames, instead of a
                              // disparity. A frame that is only shifted has neither.

    // For the sampling operator.
    Place place(int scale, int i, int j) const {
        Place p{x0 + double(scale) * j, y0 + double(scale) * i};
        if (!disparity.empty()) {
            const double d = double(disparity.at(i, j));
            p.x += u * d;
            p.y += v * d;
        }
        if (!displacement.empty()) {
            p.x += double(displacement.at(i, j, 0));
            p.y += double(displacement.at(i, j, 1));
        }
        return p;
    }
};

// How A'MA is applied inside conjugate gradients.
enum class NormalForm {
    automatic,    // the stencil for the sampling operator
    direct,       // A' (M (A p))
    stencil_f16,  // assembled once, 16-bit coefficients
    periodic,     // for shifted frames: scale^2 different stencils in all
};

// The operators of one reconstruction, as data; a backend turns them into objects that do the work.
//   A_k = D B W_k                       (chain: the general reference)
//   A_k x = P_k (B x)                   (sampling: d_k constant over one blur footprint)
struct Problem {
    int width = 0;  // high resolution
    int height = 0;
    int channels = 1;  // planes of x that share the geometry and the weights e
    int scale = 2;
    PsfGrid psf;  // positioned on the image that this is a part of
    Interpolation interpolation = Interpolation::bicubic;
    OperatorForm form = OperatorForm::sampling;
    NormalForm normal = NormalForm::automatic;
    std::vector<Observation> observations;
    std::vector<Direction> directions;
    WeightsDesc weights;

    // All views of a problem have one size: width / scale unless they are crops.
    int low_width() const {
        return observations.empty() ? width / scale : observations.front().values.width;
    }
    int low_height() const {
        return observations.empty() ? height / scale : observations.front().values.height;
    }
    std::size_t low_pixels() const { return std::size_t(low_width()) * std::size_t(low_height()); }
    std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
};

}  // namespace plenosr
