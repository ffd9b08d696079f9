#pragma once

#include "base/memory_count.h"
#include "engine/engine.h"
#include "tiles/setup.h"

namespace plenosr {

// What a tile's problem is made from: the views' crops as the solver sees them, the geometry, the
// pilot image.
struct PreparedTile {
    std::vector<Image> views;
    std::vector<ViewGeometry> geometry;
    Image disparity;  // high resolution
    Image enlarged;   // the reference view, bicubic
    MedianImage pilot;
    Charge charge;  // of the engine's count
};

// views -> geometry -> pilot, for one tile
PreparedTile prepare_tile(Engine& engine, const Setup& setup, const Views& views, const Tile& tile,
                          const Progress& progress);

std::size_t bytes_of(const Image& image);

}  // namespace plenosr
