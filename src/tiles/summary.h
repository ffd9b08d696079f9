#pragma once

#include <vector>

#include "solver/solve.h"

namespace plenosr {

// One table for all tiles: costs, residuals and times are summed (squares, for the residuals); a
// tile that stopped early counts with its last row. What two tiles share is counted twice.
SolveSummary sum_over_tiles(const std::vector<SolveSummary>& tiles);

}  // namespace plenosr
