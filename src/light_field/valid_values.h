#pragma once

#include <string>

#include "plenosr/image.h"

namespace plenosr {

// Inputs with values beyond +-1e9 are refused: sums of their squares overflow, and
// ValueLimits::none is 1e9. All half floats, which OpenEXR files have, are valid: 65504 * 255 <
// 1e9.
inline constexpr float largest_value = 1e9F;

// What the first invalid value is and where, as the reason of an error; empty if all are valid.
std::string invalid_value(const ImageView& image);

}  // namespace plenosr
