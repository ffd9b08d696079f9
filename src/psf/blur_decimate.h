#pragma once

#include "plenosr/image.h"
#include "plenosr/psf.h"

namespace plenosr {

// D B x for each channel, evaluated only at the kept pixels:
//   (B x)(p) = sum_t k_p(t) x(p - t)  t = 0 is the centre of the kernel; the border of x is
//   replicated;
//                                     k_p is the same everywhere or interpolated from a grid
//   (D z)(i) = z(scale i)             the top-left pixel of each scale x scale block is kept
// The result has floor(size / scale) pixels. This is the plain reference for the solver's
// operators.
Image blur_decimate(const Image& image, const PsfGrid& psf, int scale);

}  // namespace plenosr
