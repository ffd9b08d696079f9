#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "plenosr/image.h"

namespace plenosr::io {

// A Middlebury flow: the float 202021.25 ("PIEH"), width and height as 32-bit integers, then right
// and down of each pixel as 32-bit floats, row by row, all little endian.
bool is_flo(std::string_view first_bytes);
// Two channels. `bytes` is the content of `file`. Error(input) unless its length is that of the
// header's size.
Image decode_flo(const std::filesystem::path& file, const std::string& bytes);

}  // namespace plenosr::io
