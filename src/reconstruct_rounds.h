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

// Where a map comes from. An estimate of views without parallax is not `estimated`: there is
// nothing to fit.
struct MapOrigin {
    bool estimated = false;
    double noise = 0;  // of the estimate, grey levels
};
// The rounds for a map of the views' or of the result's size; options.refine_disparity, if set.
Rounds rounds_for(const ReconstructOptions& options, const LightFieldView& light_field,
                  const Image& map, const MapOrigin& origin);

// solve -> (fit the disparity to the result -> solve again). Defined in reconstruct.cpp.
ReconstructResult reconstruct_rounds(const Engines& engines, const LightFieldView& light_field,
                                     ViewPosition reference, const Image& disparity,
                                     const ReconstructOptions& options, const Rounds& rounds,
                                     const Progress& progress, const Image* truth,
                                     const EarlierResults& earlier = {});

}  // namespace plenosr
