#pragma once

#include "problem/mixture.h"
#include "solver/solve.h"
#include "tiles/survey.h"

namespace plenosr {

// The part that `auto` gives the denoiser steps, from 0 to 1, grows with the noise that remains in
// a pixel, in grey levels. With less than the first, the denoiser gains little or loses.
inline constexpr double denoiser_begins = 1;
inline constexpr double denoiser_full = 2;
// The iterations end once one changes the image (root mean square) by less than this share of the
// noise that remains in a pixel. Chosen by reasoning: such a change cannot be seen.
inline constexpr double negligible_change = 0.01;

// The solver's options: the setup's, with everything chosen that depends on the pictures.
SolveOptions solve_options(const Setup& setup, const ImageStatistics& statistics,
                           const ValueLimits& limits);

// lambda_factor_of_wide_blur() of this blur.
double blur_factor_of_lambda(const PsfGrid& psf, int scale);

// The chosen options with nothing left open, for the report.
ReconstructOptions with_solver_choices(ReconstructOptions chosen, const SolveOptions& options);

// Noise in grey levels that remains in a pixel of the result after averaging its samples.
double noise_per_pixel(const Setup& setup, const ImageStatistics& statistics,
                       const Mixture& mixture);
// (noise - denoiser_begins) / (denoiser_full - denoiser_begins), from 0 to 1
double denoiser_part(double noise_per_pixel);

}  // namespace plenosr
