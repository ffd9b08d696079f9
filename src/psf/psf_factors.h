#pragma once

#include <optional>
#include <vector>

#include "plenosr/psf.h"

namespace plenosr {

// The factors of a separable PSF k(y, x) = column(y) row(x), e.g. a Gaussian or a box. Both have
// 2 radius + 1 taps, with the radius of the larger side.
struct PsfFactors {
    std::vector<float> column;
    std::vector<float> row;
};

// High-resolution pixels. Chosen by reasoning, not tuned: a Gaussian of the largest sigma (50
// pixels) has the radius 150.
inline constexpr int largest_psf_radius = 250;
// The radius of the larger side. Error(invalid_option) if it exceeds largest_psf_radius.
int psf_radius(const PsfGrid& psf);
// Nothing if the PSF is not separable to within separable_tolerance of its peak.
std::optional<PsfFactors> psf_factors(const Psf& psf);

}  // namespace plenosr
