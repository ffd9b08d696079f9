#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tiles/tile_geometry.h"

namespace plenosr {

// A job that works on parts of an image one after the other, each with some pixels more around it.
struct LimitedJob {
    std::string what;  // "estimating the disparity", for the error
    int width = 0;     // of the whole image
    int height = 0;
    int margin = 0;     // pixels around a part's core, on its inner sides
    int alignment = 1;  // parts begin and end at multiples of it, or at the image's border
    std::function<std::size_t(const Box&)> bytes = {};  // that a part needs
};

// The fewest parts that need at most `limit` bytes each; 0: what this process may use beside images
// of `held` bytes. If even the smallest parts need more, throws Error(invalid_option) for a given
// limit, otherwise Error(memory).
std::vector<Tile> limited_tiles(const LimitedJob& job, std::size_t limit, std::size_t held);

}  // namespace plenosr
