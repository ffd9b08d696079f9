#pragma once

#include "disparity/matching.h"

namespace plenosr {

// Confidence of a match, in [0, 1):   m / (m + m0)
//   m   the margin: the cost of the best label farther than two labels away, less the least cost
//   m0  a margin that noise alone can cause: 0.1 + 0.3 e / sqrt(views), where e is the loss due to
//       noise (sigma, or sigma^2 over the truncation for the squared loss)
// `noise` is that of the smoothed views, grey levels.
Image match_confidence(const Match& match, const MatchDesc& desc, double noise);

}  // namespace plenosr
