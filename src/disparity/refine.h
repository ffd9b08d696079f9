#pragma once

#include "plenosr/disparity.h"
#include "plenosr/psf.h"

namespace plenosr {

// One Gauss-Newton step that fits the reference's full-size map d to the super-resolved image x.
// With d_k the map seen from view k, B the blur, and at low-resolution pixel i of that view
//   p = scale i + (u, v) d_k,   r = (B x)(p) - y_k(i),   g = (u, v) . grad (B x)(p)
// (B has the phase of the sampling, and d_k is that of the place scale i + phase)
// the sums of  w r g  and  w g^2,  w = 1 / max(|r|, h),  h = 2 + sigma / 2,  are gathered at the
// pixel nearest to p + phase and smoothed by a guided filter with the guide x. Then
//   d <- d + clip(- sum w r g / (sum w g^2 + 30), +-0.15).
// Pixels that the reference does not see are left out.
struct RefineDesc {
    LightFieldView light_field;
    ViewPosition reference;
    const PsfGrid& psf;
    int scale = 2;
    double noise = 0;
};
// The memory it takes, for each pixel of the map.
extern const std::size_t refine_bytes_per_pixel;
Image refined_disparity(const Image& full_disparity, const Image& solved, const RefineDesc& desc);

}  // namespace plenosr
