#pragma once

#include "pipeline.h"

namespace plenosr {

// One reconstruction, tiles and all.
struct Job {
    const Engines& engines;
    const Tiling& tiling;
    const Views& views;
    const ReconstructOptions& given;
    const ReconstructOptions& options;  // with the choices made
    const Progress& progress;
    const Image& truth;  // empty: not known
    const EarlierResults& known;
};

// pass 1, tile by tile: views -> geometry -> pilot -> what must be the same for all tiles
struct Surveyed {
    ImageStatistics wide;
    std::optional<PreparedTile> only;  // of the one tile, if there is one
    std::size_t bytes = 0;
};
Surveyed survey_tiles(const Job& job, const TilePlan& plan, const ValueLimits& limits);

// … and pass 2, problem -> solver -> the tile's place in the result. Throws OutOfMemory and
// std::bad_alloc where the tiles are too large.
ReconstructResult run(const Job& job, const TilePlan& plan);

}  // namespace plenosr
