#pragma once

#include "plenosr/image.h"
#include "plenosr/psf.h"

namespace plenosr {

// D B x, evaluated at the kept pixels alone, channel by channel:
//   (B x)(p) = sum_t k_p(t) x(p - t)  t = 0 is the centre of the kernel, and outside the image x
//                                    is that of the nearest pixel inside; k_p = k, a convolution,
//                                    or interpolated from a grid that is spread over the image
//   (D z)(i) = z(scale i)            the top-left pixel of each scale x scale block is kept
// The result has floor(size / scale). Written for clarity: it is what the fast operators of the
// solver are measured against.
Image blur_decimate(const Image& image, const PsfGrid& psf, int scale);

}  // namespace plenosr
