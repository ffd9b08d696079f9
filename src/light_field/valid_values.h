#pragma once

#include <string>

#include "plenosr/image.h"

namespace plenosr {

// Inputs with other values are refused: floats beyond 2^24 are more than a grey level apart, and
// sums of their squares overflow. Half floats, which OpenEXR files have, fit: 65504 * 255 < 2^24.
inline constexpr float largest_value = 16777216;

// What the first invalid value is and where, as the reason of an error; empty if all are valid.
std::string invalid_value(const ImageView& image);

}  // namespace plenosr
