#pragma once

#include <optional>
#include <vector>

#include "plenosr/psf.h"

namespace plenosr {

// A PSF that is a product k(y, x) = column(y) row(x): Gaussians, boxes, the identity. Each factor
// has 2 radius + 1 taps, radius that of the larger side.
struct PsfFactors {
    std::vector<float> column;
    std::vector<float> row;
};

inline constexpr int largest_psf_radius = 250;  // pixels
// Of the larger side; Error(invalid_option) beyond the largest that engines support.
int psf_radius(const PsfGrid& psf);
// nullopt where the PSF is no product (to 1e-6 of its peak)
std::optional<PsfFactors> psf_factors(const Psf& psf);

}  // namespace plenosr
