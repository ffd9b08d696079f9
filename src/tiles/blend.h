#pragma once

#include <condition_variable>
#include <mutex>

#include "tiles/tile_plan.h"

namespace plenosr {

// Puts tiles together: out = sum_t w_t x_t. The weight of a tile is a product of two ramps, one per
// axis, that fall from 1 to 0 across the border of its core,
//   w(t) = s((t + h) / 2h) with s(q) = q^2 (3 - 2 q),   t: distance inside the border, |t| <= h,
// so that the weights of all tiles sum to 1 everywhere; h is half of the overlap, because tiles are
// least accurate near their edges. Tiles are added in their order, whichever is finished first.
class Blend {
public:
    Blend(int width, int height, const TilePlan& plan);  // of the whole image

    // Waits until all tiles before `index` were added, then adds it to the first channels of both
    // images.
    void add(std::size_t index, const Image& image, Image& out, const Image& start, Image& initial);
    void abandon();  // after a tile failed: tiles that wait for it throw Cancelled

    // out += w_t x_t for one tile, in any order. A pixel of `out` sums reduction x reduction pixels
    // of the whole image; `out` begins at (x0, y0), in its own pixels.
    void add_weighted(const Tile& tile, const Image& image, Image& out, int reduction = 1,
                      int x0 = 0, int y0 = 0) const;

private:
    std::vector<float> ramp(int begin, int end, int core_begin, int core_end, int size) const;

    int width_;
    int height_;
    const TilePlan& plan_;
    std::mutex mutex_;
    std::condition_variable next_changed_;
    std::size_t next_ = 0;
    bool abandoned_ = false;
};

}  // namespace plenosr
