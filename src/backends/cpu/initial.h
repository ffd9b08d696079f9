#pragma once

#include "backends/cpu/parallel.h"
#include "problem/geometry.h"
#include "problem/pilot.h"

namespace plenosr::cpu {

// Bicubic enlargement registered to the decimation: low-resolution pixel i lies on high-resolution
// coordinate scale i + phase. (With the phase corner, a centre-aligned resize is off by
// (scale - 1) / 2 pixels.)
Image enlarge_bicubic(const Image& low, const SamplingGrid& sampling, const Parallel& parallel);

// The pilot image (problem/pilot.h) of a tile whose disparity is `full_disparity`.
MedianImage median_of_views(const std::vector<Image>& views,
                            const std::vector<ViewGeometry>& geometry, const Image& full_disparity,
                            const Image& enlarged_reference, const SamplingGrid& sampling,
                            const Parallel& parallel);

}  // namespace plenosr::cpu
