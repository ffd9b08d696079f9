#pragma once

#include <string>
#include <vector>

#include "solver/solve.h"
#include "tiles/survey.h"

namespace plenosr {

// What was estimated, what was chosen and why, in sentences; `given` are the user's options.
std::vector<std::string> explanation(const ReconstructOptions& given, const Setup& setup,
                                     const ImageStatistics& statistics,
                                     const SolveOptions& options);

// Why the iterations ended; empty unless options.least_change decided it.
std::string why_it_ended(const SolveOptions& options, const SolveSummary& summary);

}  // namespace plenosr
