#pragma once

#include <cstddef>

#include "plenosr/image.h"

namespace plenosr {

// How many of a view's textured pixels the reference's map explains. With
//   E = G_3 * e^2 - (G_3 * e)^2,   e = y(p) - y_k(p - (u, v) d(p))   along the disparity
//   D = G_3 * (|y(p + (1, 0)) - y(p)|^2 + |y(p + (0, 1)) - y(p)|^2) / 2   between neighbours
// both reduced by the contribution of noise (E is a variance because views may differ in
// brightness), a pixel is textured if D is well above the noise, and explained if  E < 0.7 D.  A
// view that is misplaced by a pixel or more differs by more than neighbouring pixels do; a view in
// its place differs by aliasing alone.
struct ViewFit {
    std::size_t pixels = 0;
    std::size_t textured = 0;
    std::size_t explained = 0;

    bool is_known() const;  // at least 1 % of the pixels are textured
    double share() const;   // of the textured pixels that are explained; 1 if it is not known
};

// Where a view is judged, and how exact the map is.
struct FitScope {
    Image pixels;            // of the reference: 0 is left out of all sums; empty: all take part
    double uncertainty = 0;  // of d, pixels per step: E is the least of d, d - and d + this
};

// One channel each; `noise` is that of the images: white noise smoothed by G_smoothing.
ViewFit view_fit(const Image& reference, const Image& view, const Image& map, double u, double v,
                 double noise, double smoothing, const FitScope& scope = {});

// The pixels of the reference that a view u columns and v rows away sees, if the map is right: they
// lie inside its frame, and no nearer surface covers them.
Image seen_by_view(const Image& map, double u, double v);

// On the five scenes of the 4D Light Field Benchmark (5 x 5 views, x2 and x4, noise 0/0 to 50/20)
// every view has a share of at least 0.94. Below the first threshold larger shifts are tried; below
// the second the view is judged again where it sees the reference.
inline constexpr double well_explained_share = 0.9;
inline constexpr double least_explained_share = 0.8;
// The map's uncertainty explains at most this displacement of a view, in pixels.
inline constexpr double largest_uncertain_shift = 0.5;

// Whether the hidden pixels are the reason that a view has a small share of all pixels: the share
// where it sees the reference is at least 0.5, and its shortfall at most 0.75 of that of all
// pixels. Measured on the scene `planes`, x2, noise 2, 5 x 5 views: at least 0.78 and at most 0.45
// (160 x 160 pixels, up to 7 pixels of parallax per step), 0.58 and 0.66 (96 x 96 pixels, 5 pixels
// per step). Views of another scene have at most 0.06 where they see the reference, views displaced
// by 1.5 pixels at most 0.42. Views with mirrored rows keep at least 0.83 of their shortfall.
bool is_explained_where_seen(double share_where_seen, double share);

}  // namespace plenosr
