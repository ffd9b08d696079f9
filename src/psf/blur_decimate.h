#pragma once

#include "plenosr/image.h"
#include "plenosr/psf.h"

namespace plenosr {

// What lies beyond the border of a picture: its border pixels, or its mirror image (with the border
// pixels), which MATLAB's imresize() uses.
enum class Border { replicate, symmetric };

// D B x for each channel, evaluated only at the kept pixels:
//   (B x)(p) = sum_t k_p(t) x(p - t)  t = 0 is the middle of the kernel; the border of x is
//   replicated;
//                                     k_p is the same everywhere or interpolated from a grid
//   (D z)(i) = z(scale i)             the top-left pixel of each scale x scale block is kept;
//                                     a phase is part of the PSF
// The result has floor(size / scale) pixels. This is the plain reference for the solver's
// operators.
Image blur_decimate(const Image& image, const PsfGrid& psf, int scale,
                    Border border = Border::replicate);

}  // namespace plenosr
