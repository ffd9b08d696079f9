#pragma once

#include "disparity/matching.h"

namespace plenosr {

// How views of this noise are best matched. `scale` tells how much they are aliased: aliased views
// bias matching between pixels, and smoothing them first gains more than anything else.
struct MatchSettings {
    double smoothing = 0.75;  // standard deviation of the Gaussian, pixels
    double noise = 0;         // what the smoothing leaves of the noise, grey levels
    MatchLoss loss = MatchLoss::absolute;
    float truncation = 12;  // these as in MatchDesc
    int window = 1;
    float epsilon = 4;
    double small_jump = 0.0625;
    double large_jump = 1;
    float edge = 6;
    int median = 4;  // radius of the median that brings the map's edges to the guide's, pixels
};
MatchSettings match_settings(double noise, int scale);

// The description of one matching with these settings.
MatchDesc match_desc(const MatchSettings& settings);

}  // namespace plenosr
