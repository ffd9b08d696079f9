#pragma once

#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// The shift from one view to another, block by block, by least squares within a block:
//   B(x) = A(x + d)  =>  d = sum(Ix It) / sum(Ix^2),   It = B - A minus its mean,
// and the same along y. It is computed on large blocks of reduced pictures and shows the order and
// the sign of parallax, not depth.
struct BlockShift {
    double along_x = 0;  // pixels
    double along_y = 0;
    double weight_x = 0;  // sum(Ix^2): the confidence of the shift
    double weight_y = 0;
    // The part of sum(It^2) that the shift explains.
    double gain_x() const { return along_x * along_x * weight_x; }
    double gain_y() const { return along_y * along_y * weight_y; }
};

// Pixels per side. Chosen by reasoning, not tuned: reduced pictures of 160 pixels have 9 x 9
// blocks.
inline constexpr int parallax_block = 16;

// `a` and `b` have one channel and equal sizes. Blocks are listed row by row; incomplete blocks are
// skipped.
std::vector<BlockShift> block_shifts(const Image& a, const Image& b);

}  // namespace plenosr
