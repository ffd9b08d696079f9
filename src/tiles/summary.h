#pragma once

#include <string_view>
#include <vector>

#include "plenosr/progress.h"
#include "solver/solve.h"

namespace plenosr {

// One table for all tiles: costs, residuals and times are summed (squares, for the residuals); a
// tile that stopped early counts with its last row. What two tiles share is counted twice.
SolveSummary sum_over_tiles(const std::vector<SolveSummary>& tiles);

// Reports that all iterations of a stage are done, also if fewer were needed than were allowed.
// False to cancel.
bool report_end(const Progress& progress, std::string_view stage, const SolveSummary& summary);

}  // namespace plenosr
