#pragma once

// Numbers that the native code and the kernels share: the kernels are compiled with them as -D.
// Host code only.
namespace plenosr {

// The standard deviation of normally distributed values over their median absolute deviation
// (base/median.h, initial.cl).
inline constexpr double sigma_per_median = 1.4826;

// Non-local means (denoise/nlm.cpp, nlm.cl), in pixels.
inline constexpr int nlm_reach = 10;        // of the search
inline constexpr int nlm_block_radius = 2;  // of the blocks that are compared

// Forward splat of a disparity map (disparity/splat.cpp, splat.cl), in pixels.
inline constexpr int splat_background_radius = 4;  // neighbourhood that holes are filled from
inline constexpr double splat_on_centre = 1e-3;    // distance from a centre that counts as none

// Semi-global matching (disparity/matching.h): least cost of a large jump in units of the cost of a
// small one.
inline constexpr float least_large_jump = 1.2F;

}  // namespace plenosr
