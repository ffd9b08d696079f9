#pragma once

#include <vector>

#include "plenosr/reconstruct.h"

namespace plenosr {

// One directional difference and its spatial weight w_d.
//   order 1: (S x)(p) = x(p + d) - x(p)
//   order 2: (S x)(p) = x(p - d) - 2 x(p) + x(p + d)
// Where a neighbour lies outside the image, the difference is 0.
struct Direction {
    int dx = 0;
    int dy = 0;
    int order = 1;
    float weight = 1;
    bool operator==(const Direction&) const = default;
};

// All d of a window of the given radius, one of each pair ±d, w_d = exp(-|d|^2 / 3).
std::vector<Direction> window_directions(int radius, int order = 1);

// tv: the two axis neighbours with weight 1. btv and weighted: the window. first_second: the
// window's first and second differences, w_d = exp(-(|d|^2 - 1) / 3) / sum.
std::vector<Direction> prior_directions(Prior prior, int window);
double weight_sum(const std::vector<Direction>& directions);

// The image e of edge and occlusion weights:
//   e = (f + (1 - f) w_e w_o) / mean,   w_e = exp(-(|grad(G_1 * x)| / g0)^2)
// with w_o and the mean given: the mean is that of the pilot's weights (mean_weight.h), one
// constant for all iterations and all tiles of an image. e is recomputed from x in every ADMM
// iteration; without the floor f the weights feed on the noise of x and the result gets worse with
// each.
struct WeightsDesc {
    bool adaptive = false;  // false: e = 1 (tv, btv)
    float floor = 0.5F;
    float gradient = 24.0F;        // g0, grey levels per pixel
    std::vector<float> occlusion;  // w_o per high-resolution pixel; empty: 1
    float mean = 1.0F;
};

// What e is made of: floor and g0, and whether occlusions take part. Adaptive for weighted (f =
// 0.5, g0 = 24, with occlusions) and first_second (f = 0.2, g0 = 12, without).
struct PriorWeights {
    bool adaptive = false;
    bool occlusions = false;
    float floor = 0.5F;
    float gradient = 24.0F;
};
PriorWeights prior_weights(Prior prior);

}  // namespace plenosr
