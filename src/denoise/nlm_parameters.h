#pragma once

// Numbers of non-local means. Both are common choices of the literature; the sensitivity to them
// was not measured.
namespace plenosr::nlm {

inline constexpr int reach = 10;        // of the search, pixels in each direction
inline constexpr int block_radius = 2;  // of the blocks that are compared: 5 x 5 pixels

}  // namespace plenosr::nlm
