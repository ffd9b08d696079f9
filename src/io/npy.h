#pragma once

#include <filesystem>
#include <string>

#include "plenosr/image.h"

namespace plenosr::io {

// Arrays of two axes [y, x] as maps: values are kept as they are.
Image read_npy_map(const std::filesystem::path& file);
std::string encode_npy_map(const Image& map);

}  // namespace plenosr::io
