#pragma once

#include <algorithm>

#include "denoise/blocks.h"

// Numbers of BM3D that the native and the OpenCL version share. Block size, stack size and
// threshold are those of the published method (Dabov et al. 2007). For speed, step and search
// window are coarser than published (4 instead of 3 pixels, 21 instead of 39). The denoiser steps
// of plug_and_play.h with these numbers gained 0.14 to 1.5 dB in all 28 cases tried on the HCI
// scenes; the sensitivity to each number was not recorded.
namespace plenosr::bm3d {

// Pixels between reference blocks. Distances between blocks are sums over step x step pixels.
inline constexpr int step = 4;
inline constexpr int reach = 10;  // of the search for similar blocks, pixels in each direction
// Coefficients below this multiple of sigma are set to zero in the first pass.
inline constexpr float threshold_factor = 2.7F;

// Size of the padded image: a multiple of `step`, at least two blocks.
inline int padded(int size) {
    return std::max(2 * block, (size + step - 1) / step * step);
}

// Largest mean squared difference, in squared grey levels, at which blocks are stacked. Two
// smoothed blocks of pure noise differ by 0.15 sigma^2; the constants admit blocks that differ
// slightly in images with weak noise. The second pass compares denoised blocks, hence the smaller
// limit.
inline float first_limit(float sigma) {
    return 0.7F * sigma * sigma + 60.0F;
}
inline float second_limit(float sigma) {
    return 0.4F * sigma * sigma + 30.0F;
}

}  // namespace plenosr::bm3d
