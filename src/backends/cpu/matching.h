#pragma once

#include "backends/cpu/parallel.h"
#include "disparity/matching.h"
#include "plenosr/progress.h"

namespace plenosr::cpu {

// Sweep, guided aggregation, semi-global matching, sub-label fit. Cancelled if `progress` says so.
// Holds two volumes of 16 bit, labels x pixels, and a few planes per thread.
// Bytes that match_views() takes at the peak, beside its argument and result.
std::size_t match_bytes(const MatchShape& shape, int threads);
Match match_views(const MatchDesc& desc, const Parallel& parallel, const Progress& progress);

}  // namespace plenosr::cpu
