#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/image.h"

namespace plenosr::io {

// Arrays of two axes [y, x] as maps: values are kept as they are.
Image read_npy_map(const std::filesystem::path& file);
std::string encode_npy_map(const Image& map);

// An array of four axes [row, col, y, x] as pictures, row by row; rows and cols are told too.
struct NpyPictures {
    int rows = 0;
    int cols = 0;
    std::vector<Image> pictures;
};
NpyPictures read_npy_pictures(const std::filesystem::path& file);

}  // namespace plenosr::io
