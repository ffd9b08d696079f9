#pragma once

#include "backends/cpu/parallel.h"
#include "problem/geometry.h"

namespace plenosr::cpu {

// Bicubic enlargement registered to the decimation: low-resolution pixel i lies on high-resolution
// coordinate scale i. (A centre-aligned resize is off by (scale - 1) / 2 pixels.)
Image enlarge_bicubic(const Image& low, int scale, const Parallel& parallel);

// For each pixel of the reference, the median of all views that see it, and how they spread:
//   median_k y_k((p - (u, v) d(p)) / scale),   spread = 1.4826 median_k |y_k - median|
// Where no view sees the pixel, the enlarged reference view stands in. Per channel; the spread is
// of the first channel.
struct MedianImage {
    Image median;
    Image spread;
};
MedianImage median_of_views(const std::vector<Image>& views,
                            const std::vector<ViewGeometry>& geometry, const Image& full_disparity,
                            const Image& enlarged_reference, int scale, const Parallel& parallel);

}  // namespace plenosr::cpu
