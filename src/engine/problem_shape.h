#pragma once

#include <cstddef>

#include "plenosr/reconstruct.h"
#include "problem/problem.h"

namespace plenosr {

// The sizes of a tile's problem, from which its memory follows before anything is allocated.
struct ProblemShape {
    int width = 0;  // of the tile, high resolution
    int height = 0;
    int channels = 1;
    int scale = 2;
    std::size_t views = 0;
    int low_width = 0;  // of every view's crop
    int low_height = 0;
    int disparity_width = 0;  // of the reference's map around the tile, high resolution
    int disparity_height = 0;
    int blur_radius = 0;
    std::size_t psf_values = 0;  // taps of all PSFs of a grid together; 0: one PSF
    Interpolation interpolation = Interpolation::bicubic;
    OperatorForm form = OperatorForm::sampling;
    NormalForm normal = NormalForm::automatic;
    std::size_t directions = 0;     // of the prior's differences
    bool adaptive = false;          // the prior has weights e
    std::size_t weight_planes = 1;  // images in e: one for all directions, or one for each
    Solver solver = Solver::admm;
    bool splits_data = true;      // ADMM splits the data term (no likelihood)
    bool varying_noise = false;   // poisson_gauss: the operator has its own sample weights
    bool keeps_previous = false;  // ADMM compares x with the previous x
    bool denoises = false;        // a denoiser may follow the solver
    // Floats that store a sample's position: 1 disparity, 2 displacement, 0 if frames are shifted.
    std::size_t position_floats = 1;

    std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
    std::size_t low_pixels() const { return std::size_t(low_width) * std::size_t(low_height); }
    std::size_t samples() const { return views * low_pixels(); }  // upper bound, per channel
    int taps() const { return interpolation == Interpolation::bicubic ? 4 : 2; }  // per axis
};

}  // namespace plenosr
