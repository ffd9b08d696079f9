#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// How far n views disagree at one place, given their values s_k there:
//   absolute  sum_k min(|s_k - median(s)|, tau) / sqrt(n (n - 1))
//   squared   sum_k min((s_k - mean(s))^2, tau^2) / (tau (n - 1)), the mean over the s_k within
//             2 tau of the plain one: averages Gaussian noise better, resists outliers less
// The divisors make up for the median or mean being fitted to the same values, so that places which
// fewer views see look neither better nor worse for it.
enum class MatchLoss { absolute, squared };

// What is asked of an engine when it matches views, as pure data. Over labels
//   d_l = first + l step,  l = 0 … labels - 1   (pixels per step between views)
// the cost of a pixel is the loss over the values s_k = y_k(x - u_k d_l, y - v_k d_l), bicubic, of
// all views that see the place; then guided aggregation, semi-global matching, sub-label fit.
struct MatchDesc {
    struct Offset {
        double u = 0;  // columns from the reference view
        double v = 0;  // rows
    };
    std::vector<Image> views;  // one channel, one size, the reference among them
    std::vector<Offset> offsets;
    Image guide;  // the reference, whose edges the map follows

    int labels = 64;
    double first = 0;
    double step = 0;

    MatchLoss loss = MatchLoss::absolute;
    float truncation = 12;  // tau, grey levels
    // Beside an edge, what is nearer hides the place from the views of one side. Where half_views
    // is not 0, the absolute loss may therefore be that of one half of the views (left, right,
    // upper, lower, or of a diagonal; the middle included), at a price:
    //   min(loss, half_factor min over halves + half_extra)
    Image half_views;  // empty: nowhere
    float half_factor = 1.0F;
    float half_extra = 0.1F;

    int window = 2;            // radius of the guided filter, pixels
    float epsilon = 4;         // its variance, below which the guide counts as flat
    double small_jump = 0.05;  // P1, P2 of semi-global matching, as fractions of
    double large_jump = 0.6;   // median(mean_l cost - min_l cost)
    float edge = 6;            // grey levels of the guide that halve P2
};

// The sizes of a matching, from which its memory follows.
struct MatchShape {
    int width = 0;
    int height = 0;
    int labels = 0;
    std::size_t views = 0;
    std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
};

// How far the farthest view is, in steps along rows or columns.
double baseline_of(const std::vector<MatchDesc::Offset>& offsets);

// Which halves of the views one belongs to: left, right, upper, lower, and those of the diagonals.
inline constexpr int match_halves = 8;
std::uint8_t halves_of(const MatchDesc::Offset& offset);

// Where one label d puts a view: its value for the reference's pixel (x, y) is
//   s = sum_j wy[j] sum_i wx[i] y_k(x + place.x - 1 + i, y + place.y - 1 + j)
// the same sixteen weights for all pixels. The view takes part in the columns [left, right) and the
// rows [top, bottom), from where its place lies at most half a pixel outside its frame.
struct MatchPlace {
    int x = 0;
    int y = 0;
    float wx[4] = {};
    float wy[4] = {};
    int left = 0;
    int right = 0;
    int top = 0;
    int bottom = 0;
};
MatchPlace match_place(const MatchDesc::Offset& offset, double d, int width, int height);

// Exchanges (low, high) after which the middle of n values is in its place; of an even number, or
// where asked for, the one below it, too.
using Exchanges = std::vector<std::pair<std::uint16_t, std::uint16_t>>;
Exchanges median_exchanges(int n, bool both_middles = false);

// Semi-global matching (Hirschmüller) along eight directions r: with q the pixel before p,
//   L_r(p, l) = C(p, l) + min(L_r(q, l), L_r(q, l +- 1) + P1, min_l L_r(q, l) + P2')
//               - min_l L_r(q, l),      P2' = max(1.2 P1, P2 / (1 + |G(p) - G(q)| / edge))
//   S = sum_r L_r
struct JumpCosts {
    int small = 0;  // P1
    int large = 0;  // P2
    float edge = 1;
};
// From mean_l C - min_l C of all pixels, which are reordered.
JumpCosts jump_costs(const MatchDesc& desc, std::vector<float>& contrasts);

// What comes back, per pixel. Costs are in units of the loss, as semi-global matching sums them,
// per path.
struct Match {
    Image disparity;
    Image contrast;  // mean over the labels less the least cost: how well the labels are told apart
    Image margin;    // the least cost farther than two labels away, less the least cost
    double jump = 0;  // P2 that was used
};

// The costs of semi-global matching are whole numbers: tau is this many.
inline constexpr int match_levels = 4095;
inline constexpr int match_paths = 8;
// Labels near the least cost that belong to its minimum: the margin is to what lies farther away.
inline constexpr int match_neighbourhood = 2;

}  // namespace plenosr
