#pragma once

#include "plenosr/reconstruct.h"

namespace plenosr {

// The options with every choice made that does not depend on what the views show: all but lambda
// and the denoiser.
// What was given stays.
ReconstructOptions chosen_model(const ReconstructOptions& given, const PsfGrid& psf);

// The energy sum k^2 of the blur: 1 without any, x2 0.61, x3 0.16, x4 0.085; the smaller, the worse
// conditioned the reconstruction. Of a grid of PSFs the mean.
double blur_energy(const PsfGrid& psf);
inline bool is_wide(const PsfGrid& psf) {
    return blur_energy(psf) < 0.4;
}

}  // namespace plenosr
