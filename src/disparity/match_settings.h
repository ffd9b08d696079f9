#pragma once

#include "disparity/matching.h"

namespace plenosr {

// How views of this noise are best matched. `scale` tells how much they are aliased: aliased views
// bias matching between pixels, and smoothing them first gains more than anything else.
struct MatchSettings {
    double smoothing = 0.6;  // standard deviation of the Gaussian, pixels
    double noise = 0;        // what the smoothing leaves of the noise, grey levels
    MatchLoss loss = MatchLoss::absolute;
    float truncation = 12;
    int window = 2;
    float epsilon = 4;
    double small_jump = 0.05;
    double large_jump = 0.6;
    float edge = 6;
};
MatchSettings match_settings(double noise, int scale);

// The description of one matching with these settings.
MatchDesc match_desc(const MatchSettings& settings);

}  // namespace plenosr
