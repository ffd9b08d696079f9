#pragma once

#include "plenosr/reconstruct.h"

namespace plenosr {

// The options with every choice made that does not depend on the values of the views: all except
// lambda and the denoiser. Options that were given are kept.
ReconstructOptions chosen_model(const ReconstructOptions& given, const PsfGrid& psf);

// The energy sum k^2 of the blur: 1 without blur, 0.61 at x2, 0.16 at x3, 0.085 at x4. The smaller
// it is, the worse conditioned is the reconstruction. For a grid of PSFs, the mean.
double blur_energy(const PsfGrid& psf);
inline constexpr double wide_blur_energy = 0.4;  // between the default blurs of x2 and x3
inline bool is_wide(const PsfGrid& psf) {
    return blur_energy(psf) < wide_blur_energy;
}

}  // namespace plenosr
