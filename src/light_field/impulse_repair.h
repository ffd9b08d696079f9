#pragma once

#include "plenosr/image.h"

namespace plenosr {

// Pixels at the limits (0 or 255) become the median of the pixels around them that are not, in the
// smallest window of radius 1 to 3 that has three of those; where none has, they stay. One channel.
Image without_impulses(const Image& view);

}  // namespace plenosr
