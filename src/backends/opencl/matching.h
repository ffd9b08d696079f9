#pragma once

#include "backends/opencl/device.h"
#include "disparity/matching.h"
#include "plenosr/progress.h"

namespace plenosr::opencl {

// Bytes that match_views() takes at the peak, on the device and the host, beside its argument and
// result.
std::size_t match_bytes(const MatchShape& shape);

// Plane sweep, guided aggregation, semi-global matching and sub-label fit on the device
// (src/kernels/sweep.cl, semi_global.cl), as in the native engine. Throws Cancelled if `progress`
// returns false.
Match match_views(Device& device, const MatchDesc& desc, const Progress& progress);

}  // namespace plenosr::opencl
