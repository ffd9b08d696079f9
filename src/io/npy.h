#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/formats.h"
#include "io/npy_header.h"
#include "plenosr/image.h"

namespace plenosr::io {

// A map [y, x]: values are kept as they are.
Image read_npy_map(const std::filesystem::path& file);
Image decode_npy_map(const std::filesystem::path& file, std::string bytes);
std::string encode_npy_map(const Image& map);

// The pictures of an array [row, col, y, x], row by row.
struct NpyPictures {
    int rows = 0;
    int cols = 0;
    std::vector<Image> pictures;
};
NpyPictures read_npy_pictures(const std::filesystem::path& file);
NpyPictures decode_npy_pictures(const std::filesystem::path& file, std::string bytes);

// The values of an array of float32 or float64 with at most `most_axes`, in C order.
struct NpyNumbers {
    Shape shape;
    std::vector<double> values;
};
NpyNumbers decode_npy_numbers(const std::filesystem::path& file, std::string bytes,
                              std::size_t most_axes);

// Error(input) unless an array with this header has `file_bytes` in all.
void require_npy_length(const std::filesystem::path& file, const NpyHeader& header,
                        double file_bytes);

// Reads views from the bytes of an NPY file; errors name `file`.
ViewReader npy_view_reader(const std::filesystem::path& file, std::string bytes,
                           const OpenOptions& options);

}  // namespace plenosr::io
