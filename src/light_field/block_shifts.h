#pragma once

#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// How the picture moves from one view to another, block by block. By least squares within a block,
//   B(x) = A(x + d)  =>  d = sum(Ix It) / sum(Ix^2),   It = B - A less its mean,
// and the same along y. Large blocks of small pictures: for order and sign, not for depth.
struct BlockShift {
    double along_x = 0;  // pixels
    double along_y = 0;
    double weight_x = 0;  // sum(Ix^2): how much the block can tell
    double weight_y = 0;
    // How much of sum(It^2) the shift explains.
    double gain_x() const { return along_x * along_x * weight_x; }
    double gain_y() const { return along_y * along_y * weight_y; }
};

inline constexpr int parallax_block = 16;  // pixels a side

// Of two one-channel images of one size; blocks along the rows, whole ones only.
std::vector<BlockShift> block_shifts(const Image& a, const Image& b);

}  // namespace plenosr
