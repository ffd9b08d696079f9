#pragma once

#include "tiles/survey.h"

namespace plenosr {

struct TileProblem {
    Problem problem;
    Image start;
    Charge charge;
};

// The tile's problem; takes what it needs of the prepared tile.
TileProblem tile_problem(const Setup& setup, const Tile& tile, NormalForm normal,
                         const ImageStatistics& statistics, const ValueLimits& limits,
                         PreparedTile prepared);

}  // namespace plenosr
