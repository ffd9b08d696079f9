#pragma once

#include "disparity/matching.h"

namespace plenosr {

// How sure a match is, in [0, 1):   m / (m + m0),
//   m   the margin, by which the best label is better than any other farther than two labels away
//   m0  that margin which noise alone is likely to make: noise / sqrt(views), and 0.1 grey levels
Image match_confidence(const Match& match, double noise, std::size_t views);

}  // namespace plenosr
