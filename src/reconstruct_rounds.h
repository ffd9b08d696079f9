#pragma once

#include <limits>

#include "reconstruct_view.h"

namespace plenosr {

// How often the disparity is fitted to the result: `count` times, if the noise in the first result
// is at most `max_noise` grey levels.
struct Rounds {
    int count = 0;
    double max_noise = std::numeric_limits<double>::infinity();
    const char* map = "";  // why the map needs it, for the explanation: "was estimated"
};

// solve -> (fit the disparity to the result -> solve again). Defined in reconstruct.cpp.
ReconstructResult reconstruct_rounds(const Engines& engines, const LightFieldView& light_field,
                                     ViewPosition reference, const Image& disparity,
                                     const ReconstructOptions& options, const Rounds& rounds,
                                     const Progress& progress, const Image* truth,
                                     const EarlierResults& earlier = {});

}  // namespace plenosr
