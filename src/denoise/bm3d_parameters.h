#pragma once

#include <algorithm>

#include "denoise/blocks.h"

// What the native version and the device's have in common.
namespace plenosr::bm3d {

inline constexpr int step =
    4;  // between reference blocks; distances are summed over step x step pixels
inline constexpr int reach = 10;  // of the search, in pixels
inline constexpr float threshold_factor = 2.7F;

// Pictures become multiples of `step`, at least two blocks.
inline int padded(int size) {
    return std::max(2 * block, (size + step - 1) / step * step);
}

// Blocks whose mean squared difference is below these are stacked, in the first and second pass.
inline float first_limit(float sigma) {
    return 0.7F * sigma * sigma + 60.0F;
}
inline float second_limit(float sigma) {
    return 0.4F * sigma * sigma + 30.0F;
}

}  // namespace plenosr::bm3d
