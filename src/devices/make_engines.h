#pragma once

#include <string>

#include "engine/engine.h"

namespace plenosr {

// The engines that options.device names, in its order. A single engine reports the compilation of
// kernels to `progress`.
Engines make_engines(const ReconstructOptions& options, const Progress& progress = {});

// The instructions that host code is dispatched to, such as "AVX2": results differ between them.
std::string instruction_set();

}  // namespace plenosr
