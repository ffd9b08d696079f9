#pragma once

#include <optional>
#include <vector>

#include "engine/engine.h"
#include "tiles/setup.h"

namespace plenosr {

// How a reconstruction is cut into tiles for the given engines.
struct TilePlan {
    std::vector<Tile> tiles;  // row by row
    int across = 1;
    int down = 1;
    int overlap = 0;  // high-resolution pixels on each inner side
    NormalForm normal = NormalForm::automatic;
    std::size_t bytes = 0;          // estimate, all engines together
    std::size_t process_bytes = 0;  // the part of it in memory of this process
    std::size_t limit = 0;          // bytes; 0: none was given

    int width() const { return tiles.front().box.width; }  // the first tile; others differ little
    int height() const { return tiles.front().box.height; }
};

// The fewest tiles whose estimate stays below `limit` (bytes of all engines together; not set: what
// this process may use beside the images that it holds) and below what each device has. Several
// engines share at least two tiles each, unless the image is too small to
// be cut: then the first engine does all of it. Nothing if the smallest tiles are still too large,
// or if the solver needs the whole image.
std::optional<TilePlan> find_plan(const Setup& setup, const Engines& engines,
                                  std::optional<std::size_t> limit);
// Like find_plan(), but throws an Error that says what does not fit.
TilePlan plan_tiles(const Setup& setup, const Engines& engines, std::optional<std::size_t> limit);
// Throws Error(memory) if the plan, the images of the set-up and `others` bytes of images that are
// not planned for need more than this process may use. Never changes the tiles.
void require_process_memory(const TilePlan& plan, const Setup& setup, std::size_t others = 0);

}  // namespace plenosr
