#pragma once

#include <optional>
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

// tv: the two axis neighbours with weight 1. btv, weighted, nltv and bswtv: the whole window.
// first_second: the window's first and second differences, w_d = exp(-(|d|^2 - 1) / 3) / sum.
std::vector<Direction> prior_directions(Prior prior, int window);
double weight_sum(const std::vector<Direction>& directions);

// The image e of edge and occlusion weights:
//   e = (f + (1 - f) w_e w_o) / mean,   w_e = exp(-(|grad(G_1 * x)| / g0)^2)
// w_o and the mean are given. The mean is that of the pilot's weights (mean_weight.h), one constant
// for all iterations and tiles of an image. e is recomputed from x. Without the floor f the weights
// preserve the noise of x, and the result gets worse with every iteration (30.0 -> 25 dB in 20
// iterations of a prototype).
//
// With `patch` there is one such image for each direction, in which the difference of the patches
// around p and p + d replaces the squared gradient,
//   e_d = (f + (1 - f) exp(-D_d / g0^2)) / mean
//   D_d(p) = sum_q b_q (g(p + q + d) - g(p + q))^2 / sum_q b_q,   g = G_1 * x,   |q| <= radius
// Plain patches (range 0): b = 1, D compares the neighbourhoods of two pixels. Bilateral ones:
//   b_q = exp(-|q|^2 / 2 - (g(p + q) - g(p))^2 / range^2)
// D_d is then d' C d, with C the covariance of the gradients on p's side of an edge; its
// eigenvalues are the extremes of D over the directions.
//
// If noise grows with the brightness, the prior must be stronger where the noise is, in proportion
// to its standard deviation. The data term is in units of the variance v = floor^2 + gain g, so
//   e <- e level / sqrt(v(g(p)))
struct NoiseProfile {
    float level = 0;  // standard deviation at which e is unchanged
    float floor = 0;
    float gain = 0;  // 0: e is unchanged everywhere
};
struct PatchDesc {
    int radius = 0;
    float range = 0;  // grey levels; 0: plain
    bool operator==(const PatchDesc&) const = default;
};
struct WeightsDesc {
    bool adaptive = false;  // false: e = 1 (tv, btv)
    float floor = 0.5F;
    float gradient = 24.0F;        // g0, grey levels per pixel
    std::vector<float> occlusion;  // w_o per high-resolution pixel; empty: 1
    float mean = 1.0F;
    std::optional<PatchDesc> patch = {};  // excludes `occlusion`
    NoiseProfile noise = {};              // adaptive only

    std::size_t planes(std::size_t directions) const { return patch ? directions : 1; }
};

// The parameters of e for each prior. e is adaptive for weighted (f = 0.5, g0 = 24, with
// occlusions), first_second (f = 0.2, g0 = 12, without), nltv and bswtv.
struct PriorWeights {
    bool adaptive = false;
    bool occlusions = false;
    float floor = 0.5F;
    float gradient = 24.0F;
    std::optional<PatchDesc> patch = {};
};
PriorWeights prior_weights(Prior prior);

}  // namespace plenosr
