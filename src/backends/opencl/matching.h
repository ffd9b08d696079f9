#pragma once

#include "backends/opencl/device.h"
#include "disparity/matching.h"
#include "plenosr/progress.h"

namespace plenosr::opencl {

// Plane sweep, guided aggregation, semi-global matching and sub-label fit on the device
// (src/kernels/sweep.cl, semi_global.cl), as in the native engine. Throws Cancelled if `progress`
// returns false.
Match match_views(Device& device, const MatchDesc& desc, const Progress& progress);

}  // namespace plenosr::opencl
