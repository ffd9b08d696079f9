#pragma once

#include "plenosr/image.h"

namespace plenosr {

// What the view would see if it were du columns and dv rows further:
//   I'(p) = I(p + (du, dv) d'(p)),  with d' = displaced_disparity() (plenosr/degrade.h),
// interpolated by a windowed sinc; the border is replicated. The displacement of the picture should
// be of the order of a pixel: what comes out from behind an edge is taken from the background
// beside it.
Image displaced_view(const Image& view, const Image& disparity, double du, double dv);

}  // namespace plenosr
