#pragma once

#include "problem/geometry.h"

namespace plenosr {

// The pilot: for each pixel of the reference, the median of all views that see it, and how they
// spread:   median_k y_k((p - (x0, y0) - (u, v) d(p)) / scale),   spread = 1.4826 median_k |y_k -
// median|. Where no view sees the pixel, the enlarged reference view stands in. Per channel; the
// spread is of the first channel.
struct MedianImage {
    Image median;
    Image spread;
};

// The same for frames that are trusted, each looked up where its motion says; `tile` lies there in
// the image, high resolution, and `frames` are crops as their geometry says.
MedianImage median_of_frames(const std::vector<Image>& frames,
                             const std::vector<ViewGeometry>& geometry,
                             const std::vector<FrameMotion>& motions, const Box& tile,
                             const Image& enlarged_reference, int scale);

}  // namespace plenosr
