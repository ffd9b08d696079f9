#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// The matching loss of n views at one place, given their values s_k there:
//   absolute  sum_k min(|s_k - median(s)|, tau) / sqrt(n (n - 1))
//   squared   sum_k min((s_k - mean(s))^2, tau^2) / (tau (n - 1)), with the mean over the s_k
//   within
//             2 tau of the plain mean: averages Gaussian noise better, resists outliers less
// The divisors compensate for fitting the median or mean to the same values, so that the loss does
// not depend on the number of views that see a place.
enum class MatchLoss { absolute, squared };

// One matching of views, as pure data; an engine does the work. For the labels
//   d_l = first + l step,  l = 0 … labels - 1   (pixels per step between views)
// the cost of a pixel is the loss over the values s_k = y_k(x - u_k d_l, y - v_k d_l), bicubic, of
// all views that see the place. Guided aggregation, semi-global matching and a sub-label fit
// follow.
struct MatchDesc {
    struct Offset {
        double u = 0;  // columns from the reference view
        double v = 0;  // rows
    };
    std::vector<Image> views;  // one channel, one size, the reference among them
    std::vector<Offset> offsets;
    Image guide;  // the reference view: the map follows its edges

    int labels = 64;
    double first = 0;
    double step = 0;

    MatchLoss loss = MatchLoss::absolute;
    float truncation = 12;  // tau, grey levels
    // Beside a depth edge the nearer surface hides a place from the views of one side. Where
    // half_views is not 0, the absolute loss may therefore be that of one half of the views (left,
    // right, upper, lower, or of a diagonal; the middle included), with a penalty:
    //   min(loss, min over halves + half_extra)
    Image half_views;         // empty: nowhere
    float half_extra = 0.1F;  // units of the loss: prefers all views where both explain the place

    int window = 2;            // radius of the guided filter, pixels
    float epsilon = 4;         // variance below which it takes the guide for flat
    double small_jump = 0.05;  // P1 and P2 of semi-global matching, as fractions of
    double large_jump = 0.6;   // median(mean_l cost - min_l cost)
    float edge = 6;            // grey levels: a difference of the guide that halves P2
};

// The sizes of a matching, from which its memory follows.
struct MatchShape {
    int width = 0;
    int height = 0;
    int labels = 0;
    std::size_t views = 0;
    std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
};

// The largest offset of a view, in steps along rows or columns.
double baseline_of(const std::vector<MatchDesc::Offset>& offsets);

// The halves of the views that one view belongs to, as bits: left, right, upper, lower, and those
// of the diagonals.
inline constexpr int match_halves = 8;
std::uint8_t halves_of(const MatchDesc::Offset& offset);

// Where one label d shifts a view: its value for the reference's pixel (x, y) is
//   s = sum_j wy[j] sum_i wx[i] y_k(x + place.x - 1 + i, y + place.y - 1 + j)
// with the same sixteen weights for all pixels. The view takes part in the columns [left, right)
// and rows [top, bottom), where it is sampled at most half a pixel outside its border.
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

// Compare-exchange operations (low, high) that put the middle one of n values in its place. If n is
// even, or `both_middles` is set, also the value below it.
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
// `contrasts` are mean_l C - min_l C of all pixels; they are reordered.
JumpCosts jump_costs(const MatchDesc& desc, std::vector<float>& contrasts);

// The result of a matching, per pixel. Costs are the sums of semi-global matching, divided by the
// number of paths, in units of the loss.
struct Match {
    Image disparity;
    Image contrast;   // mean over the labels, less the least cost
    Image margin;     // least cost farther than two labels from the best, less the least cost
    double jump = 0;  // the P2 that was used
};

// The costs of semi-global matching are integers: tau is this many.
inline constexpr int match_levels = 4095;
inline constexpr int match_paths = 8;
// Labels on either side of the best one that belong to the same minimum.
inline constexpr int match_neighbourhood = 2;

}  // namespace plenosr
