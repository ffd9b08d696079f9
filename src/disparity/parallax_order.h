#pragma once

#include <array>
#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// A renumbering of the grid of views: (u, v) -> swapped if transposed, then with the signs.
struct GridSymmetry {
    bool transposed = false;
    int sign_u = 1;
    int sign_v = 1;

    struct Offset {
        double u;
        double v;
    };
    Offset of(double u, double v) const {
        return transposed ? Offset{sign_u * v, sign_v * u} : Offset{sign_u * u, sign_v * v};
    }
};

// Another view, `u` columns and `v` rows from the reference as it was numbered. Pictures have one
// channel and the size of the reference.
struct NumberedView {
    double u = 0;
    double v = 0;
    Image image;
};

// How well each of several renumberings explains the parallax, block by block: the mean absolute
// difference of the views and the reference along the best constant disparity of the block. The
// sign of the disparity is free, so that a renumbering and its point reflection have equal costs.
// Block b has costs[b][i] for renumbering i; blocks that leave the pictures are left out.
using BlockCosts = std::vector<std::vector<double>>;
BlockCosts parallax_costs(const Image& reference, const std::vector<NumberedView>& views,
                          const std::vector<GridSymmetry>& renumberings);
// The same with a given map of the reference, where the sign counts.
BlockCosts parallax_costs(const Image& reference, const std::vector<NumberedView>& views,
                          const std::vector<GridSymmetry>& renumberings, const Image& map);

// How far renumbering `other` is better than `one`: the mean of the difference of their costs over
// blocks, divided by its standard error, and the ratio of the sums of costs, one / other.
struct Advantage {
    double significance = 0;
    double ratio = 1;
};
Advantage advantage(const BlockCosts& costs, std::size_t one, std::size_t other);

// Which of two surfaces that cover the same pixel of a view is seen there: that with the larger or
// that with the smaller disparity. Counts pixels where the two look different.
struct Occlusions {
    std::size_t larger_in_front = 0;
    std::size_t smaller_in_front = 0;
};
Occlusions occlusions(const Image& reference, const std::vector<NumberedView>& views,
                      const GridSymmetry& renumbering, const Image& map);

}  // namespace plenosr
