#pragma once

#include <filesystem>
#include <string>

#include "plenosr/io.h"

namespace plenosr::io {

// ".png" or ".pfm".
std::string extension_of(PixelFormat format);

// The bytes of the file; `file` is what errors name.
std::string encode_image(const std::filesystem::path& file, const Image& image, PixelFormat format);

// By the end of the name alone: png, pfm, jpg … in any case.
bool has_picture_extension(const std::filesystem::path& file);

}  // namespace plenosr::io
