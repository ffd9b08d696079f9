#pragma once

#include "plenosr/image.h"

namespace plenosr {

// How much of what a view shows the reference's map explains: with
//   E = G_3 * e^2 - (G_3 * e)^2,   e = y(p) - y_k(p - (u, v) d(p))   along the disparity
//   D = G_3 * (|y(p + (1, 0)) - y(p)|^2 + |y(p + (0, 1)) - y(p)|^2) / 2   between neighbours
// (views may differ in brightness), both less what noise makes of them, the share of the textured
// pixels (D well above noise) where
//   E < 0.7 D,
// since a view that is out of place by a pixel or more differs by more than neighbours do, and one
// in its place by the rest of aliasing alone. 1 where hardly anything is textured. One channel
// each; `noise` is theirs, white noise that G_smoothing went over.
double explained_share(const Image& reference, const Image& view, const Image& map, double u,
                       double v, double noise, double smoothing);

// Where less is explained of some view, another map may be better; …
inline constexpr double explained_well = 0.9;
// … a view of which even less is explained is not where it is said to be.
inline constexpr double explained_enough = 0.8;

}  // namespace plenosr
