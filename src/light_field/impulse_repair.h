#pragma once

#include "light_field/value_limits.h"

namespace plenosr {

// Replaces pixels at a limit by the median of the pixels around them that are not at a limit. The
// window is the smallest one of radius 1 to 3 that has three of those; where none has, the pixel
// stays as it is. One channel.
Image without_impulses(const Image& view, const ValueLimits& limits);

}  // namespace plenosr
