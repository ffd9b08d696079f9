#pragma once

#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// The smallest and the largest value in any part of a map, without reading each pixel again.
class DisparityRange {
public:
    struct Range {
        double low = 0;
        double high = 0;
    };
    explicit DisparityRange(const Image& map);
    Range within(const Box& box) const;  // of all blocks that the box touches

private:
    static constexpr int block = 8;  // pixels a side
    int width_;
    int height_;
    int across_;
    std::vector<Range> blocks_;
};

}  // namespace plenosr
