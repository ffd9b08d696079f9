#pragma once

#include <optional>

#include "plenosr/estimates.h"
#include "solver/solve.h"
#include "tiles/survey.h"

namespace plenosr {

// The estimates that options.estimates names; nothing if there are none. Error(input) if they are
// of another kind or scale.
std::optional<Estimates> given_estimates(const ReconstructOptions& options, bool frames);
// As statistics of the whole image, which are then not measured. A given gain or read noise stays.
ImageStatistics statistics_of(const Estimates& estimates, const ReconstructOptions& options);
// The inverse: what a reconstruction measured and chose.
Estimates estimates_of(const Setup& setup, const ImageStatistics& statistics, double lambda);

}  // namespace plenosr
