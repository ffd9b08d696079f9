#pragma once

#include "problem/geometry.h"
#include "problem/mixture.h"

namespace plenosr {

// The pilot: for each pixel of the reference, the median and the spread of all views that see it,
//   median_k y_k((p - phase - (x0, y0) - (u, v) d(p)) / scale),   spread = 1.4826 median_k |y_k -
//   median|.
// A pixel that no view sees takes its value from the enlarged reference view. The median is per
// channel; the spread is that of the first channel.
struct MedianImage {
    Image median;
    Image spread;
};

// The same for frames of weight 1, each sampled according to its motion. `tile` is the tile's box
// in the image, at high resolution; `frames` are the crops that `geometry` describes.
MedianImage median_of_frames(const std::vector<Image>& frames,
                             const std::vector<ViewGeometry>& geometry,
                             const std::vector<FrameMotion>& motions, const Box& tile,
                             const Image& enlarged_reference, const SamplingGrid& sampling);

// An initial estimate for the solver: the pilot, plus detail of the samples that the median has
// lost and that exceeds the noise,
//   x = median + d d^2 / (d^2 + (3 sigma)^2),   d the mean of y - median over the nearest samples,
// without those at a limit (they may be impulses). The median of few aliased frames is blurred, and
// a robust data term would at first take all edges for outliers.
Image with_samples(Image median, const std::vector<Image>& frames,
                   const std::vector<ViewGeometry>& geometry, const SamplingGrid& sampling,
                   double noise_sigma, const ValueLimits& limits);

}  // namespace plenosr
