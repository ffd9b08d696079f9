#pragma once

#include <filesystem>
#include <string>

#include "plenosr/io.h"

namespace plenosr::io {

// The bytes of a JPEG file with colours at half the resolution (4:2:0), as cameras write them.
// quality: 1 to 100.
std::string encode_jpeg(const Image& image, int quality);

// What remains of an 8-bit picture that is stored as JPEG.
Image through_jpeg(const Image& image, int quality);

// What remains of a picture in a file that is_lossy().
Image through_lossy_file(const Image& image, const std::filesystem::path& file,
                         const ImageEncoding& encoding);

}  // namespace plenosr::io
