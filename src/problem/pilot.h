#pragma once

#include "problem/geometry.h"
#include "problem/mixture.h"

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

// A start for the solver: the pilot with the detail that its median has lost and that samples show
// beyond the noise,   x = median + d d^2 / (d^2 + (3 sigma)^2),   d the mean of y - median over the
// samples nearest to the pixel, those at a limit aside (they may be impulses). Few aliased frames
// have a blurred median, from which a robust data term would take all edges for errors at first.
Image with_samples(Image median, const std::vector<Image>& frames,
                   const std::vector<ViewGeometry>& geometry, int scale, double noise_sigma,
                   const ValueLimits& limits);

}  // namespace plenosr
