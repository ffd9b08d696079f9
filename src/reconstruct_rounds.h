#pragma once

#include "reconstruct_view.h"

namespace plenosr {

// solve -> (fit the disparity to the result -> solve again), `rounds` times. Not set: once if the
// first result shows little noise, else not at all. Defined in reconstruct.cpp.
ReconstructResult reconstruct_rounds(const Engines& engines, const LightField& light_field,
                                     ViewPosition reference, const Image& disparity,
                                     const ReconstructOptions& options, std::optional<int> rounds,
                                     const Progress& progress, const Image* truth,
                                     const EarlierResults& earlier = {});

}  // namespace plenosr
