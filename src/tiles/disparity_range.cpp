#include "tiles/disparity_range.h"

#include <algorithm>
#include <limits>

namespace plenosr {

DisparityRange::DisparityRange(const Image& map)
    : width_(map.width), height_(map.height), across_((map.width + block - 1) / block) {
    const int down = (map.height + block - 1) / block;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    blocks_.assign(std::size_t(across_) * std::size_t(down), {infinite, -infinite});
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            Range& r =
                blocks_[std::size_t(y / block) * std::size_t(across_) + std::size_t(x / block)];
            r.low = std::min(r.low, double(map.at(y, x)));
            r.high = std::max(r.high, double(map.at(y, x)));
        }
}

DisparityRange::Range DisparityRange::within(const Box& box) const {
    Range result =
        blocks_[std::size_t(box.y0 / block) * std::size_t(across_) + std::size_t(box.x0 / block)];
    for (int y = box.y0 / block; y * block < std::min(box.y1(), height_); ++y)
        for (int x = box.x0 / block; x * block < std::min(box.x1(), width_); ++x) {
            const Range& r = blocks_[std::size_t(y) * std::size_t(across_) + std::size_t(x)];
            result.low = std::min(result.low, r.low);
            result.high = std::max(result.high, r.high);
        }
    return result;
}

}  // namespace plenosr
