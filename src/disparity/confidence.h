#pragma once

#include "disparity/matching.h"

namespace plenosr {

// How sure a match is, in [0, 1):   m / (m + m0),
//   m   the margin, by which the best label is better than any other farther than two labels away
//   m0  a margin that noise alone may make: 0.1 + 0.3 e / sqrt(views), where e is the loss that one
//       value of noise makes (the noise, or its square over the truncation)
Image match_confidence(const Match& match, const MatchDesc& desc, double noise);

}  // namespace plenosr
