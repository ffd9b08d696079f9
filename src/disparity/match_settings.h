#pragma once

#include "disparity/matching.h"

namespace plenosr {

// How to match views of this noise. match_parameters.h documents the constants behind the values.
struct MatchSettings {
    double smoothing = 0;  // sigma of the Gaussian that smooths the views first, pixels
    double noise = 0;      // after the smoothing, grey levels
    // As in MatchDesc:
    MatchLoss loss = MatchLoss::absolute;
    float truncation = 0;
    int window = 0;
    float epsilon = 0;
    double small_jump = 0;
    double large_jump = 0;
    float edge = 0;
    int median = 0;  // radius of the median that moves the map's edges to the guide's, pixels
};
// `scale` is the factor of the super-resolution, which determines how much the views are aliased.
MatchSettings match_settings(double noise, int scale);

// The description of one matching with these settings; views, labels and guide are left empty.
MatchDesc match_desc(const MatchSettings& settings);

}  // namespace plenosr
