#pragma once

#include "plenosr/image.h"

namespace plenosr {

// Replaces pixels at the limits (0 or 255) by the median of the other pixels in the smallest window
// of radius 1 to 3 that has at least three of them. If no window has, the pixel stays. One channel.
Image without_impulses(const Image& view);

}  // namespace plenosr
