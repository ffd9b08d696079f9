#pragma once

#include <string>

#include "plenosr/image.h"

namespace plenosr::io {

// The bytes of a JPEG file with colours at half the resolution (4:2:0), as cameras write them.
// quality: 1 to 100.
std::string encode_jpeg(const Image& image, int quality);

// What remains of an 8-bit picture that is stored as JPEG.
Image through_jpeg(const Image& image, int quality);

}  // namespace plenosr::io
