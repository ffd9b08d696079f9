#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace plenosr::io {

bool is_png(const std::string& first_bytes);

// The size that a PNG's first chunk claims, for a look before anything is decoded.
struct PngHeader {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    int bits_per_pixel = 0;
};
PngHeader png_header(const std::filesystem::path& file, const std::string& first_bytes);

// Decoders stop reading once they have seen enough pixels, and so miss files that were cut or
// altered. This walks over all chunks: every checksum must hold, IEND must be there, and the
// compressed data must be large enough for the pixels. Error(input) otherwise.
void require_whole_png(const std::filesystem::path& file, const std::string& bytes);

}  // namespace plenosr::io
