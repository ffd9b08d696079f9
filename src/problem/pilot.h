#pragma once

#include "plenosr/image.h"

namespace plenosr {

// The pilot: for each pixel of the reference, the median of all views that see it, and how they
// spread:   median_k y_k((p - (x0, y0) - (u, v) d(p)) / scale),   spread = 1.4826 median_k |y_k -
// median|. Where no view sees the pixel, the enlarged reference view stands in. Per channel; the
// spread is of the first channel.
struct MedianImage {
    Image median;
    Image spread;
};

}  // namespace plenosr
