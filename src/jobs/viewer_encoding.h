#pragma once

#include "plenosr/viewer.h"

namespace plenosr {

// How the values of a picture become a PNG or WebP that every browser decodes to the same bytes.
//   lossy    WebP, 8 bits
//   bits8    PNG
//   bits16, half, float
//            PNG with the bytes of each value in 2 or 4 pictures of 8 bits, one below the other,
//            the most significant first. bits16: 65535 is white. half and float are IEEE numbers.
enum class ViewerCoding { lossy, bits8, bits16, half, float32 };

ViewerCoding coding_of(const ViewerPicture& picture, bool lossless);
const char* name_of(ViewerCoding coding);
ViewerFile encoded(const Image& image, ViewerCoding coding);

}  // namespace plenosr
