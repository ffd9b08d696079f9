#pragma once

#include "engine/engine.h"

namespace plenosr {

// The engines that options.device names, in its order.
Engines make_engines(const ReconstructOptions& options);

}  // namespace plenosr
