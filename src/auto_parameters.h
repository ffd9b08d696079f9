#pragma once

#include <string>
#include <vector>

#include "tiles/tile_work.h"

namespace plenosr {

// What the solver is given, once the views were looked at.
SolveOptions solve_options(const Tiling& tiling, const ImageStatistics& wide,
                           const ValueLimits& limits);

// The estimates, what was chosen and why, in sentences; `given` are the user's options.
std::vector<std::string> explanation(const ReconstructOptions& given, const Tiling& tiling,
                                     const ImageStatistics& wide, const SolveOptions& options);

// … and why the iterations ended, where options.least_change is set.
std::string why_it_ended(const SolveOptions& options, const SolveSummary& summary);

}  // namespace plenosr
