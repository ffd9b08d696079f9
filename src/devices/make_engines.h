#pragma once

#include "engine/engine.h"

namespace plenosr {

// The engines that options.device names, in its order. A single engine reports the compilation of
// kernels to `progress`.
Engines make_engines(const ReconstructOptions& options, const Progress& progress = {});

}  // namespace plenosr
