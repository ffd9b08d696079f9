#pragma once

#include "reconstruct_view.h"
#include "tiles/tile_plan.h"

namespace plenosr {

// One reconstruction: its inputs, and what is known beforehand.
struct ReconstructionJob {
    const Engines& engines;
    const Setup& setup;
    const Views& views;
    const ReconstructOptions& given;  // before the model was chosen
    const Progress& progress;
    const Image& truth;  // empty: unknown
    const EarlierResults& earlier;
};

// Pass 1, tile by tile: views -> geometry -> pilot -> statistics of the whole image.
struct Surveyed {
    ImageStatistics statistics;
    std::optional<PreparedTile> only;  // the prepared tile, if there is just one
    std::size_t bytes = 0;
};
Surveyed survey_tiles(const ReconstructionJob& job, const TilePlan& plan);

// Pass 1, then pass 2, tile by tile: problem -> solver -> the tile's place in the result. Throws
// OutOfMemory and std::bad_alloc if the tiles are too large.
ReconstructResult solve_tiles(const ReconstructionJob& job, const TilePlan& plan);

}  // namespace plenosr
