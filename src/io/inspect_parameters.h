#pragma once

#include <cstddef>

namespace plenosr::io::inspection {

// The thresholds of inspect_light_field(). They only decide what is reported; no reconstruction
// depends on them.

// ---- brightness: the mean luma of a view divided by the median over all views
// Chosen by reasoning, not tuned: a black view has nothing but sensor noise, and a dark one differs
// by more than the exposure of views of one camera does.
inline constexpr double black_ratio = 0.02;
inline constexpr double dark_ratio = 0.75;

// ---- parallax: shifts of blocks (block_shifts.h) between neighbours in reduced pictures.
// Chosen by reasoning, not tuned.
// Longer side of the reduced pictures. Disparities of up to about 3 pixels at 512 pixels become
// less than 1 pixel, where the linearised shift has the right sign.
inline constexpr int reduced_side_px = 160;
// A view counts as the next one if it lies within this distance of one step.
inline constexpr double neighbour_tolerance_steps = 0.25;
// With fewer pairs, the median over pairs does not show which of two views is out of order.
inline constexpr std::size_t fewest_pairs = 4;
// The shift of a pair divided by the expected one (least squares): 1 for views in order, -1 for
// swapped ones or an inverted map, near 0 where a pair shows too little.
inline constexpr double opposite_ratio = -0.2;
// The axes are exchanged if the wrong direction explains more than this times the right one.
inline constexpr double axes_dominance = 1.5;

}  // namespace plenosr::io::inspection
