#pragma once

#include "backends/cpu/parallel.h"
#include "disparity/matching.h"
#include "plenosr/progress.h"

namespace plenosr::cpu {

// Bytes that match_views() takes at the peak, beside its argument and result.
std::size_t match_bytes(const MatchShape& shape, int threads);

// Sweep, guided aggregation, semi-global matching, sub-label fit. Throws Cancelled if `progress`
// returns false. Holds two 16-bit volumes of labels x pixels, and a few images per thread.
Match match_views(const MatchDesc& desc, const Parallel& parallel, const Progress& progress);

}  // namespace plenosr::cpu
