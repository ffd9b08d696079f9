#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace plenosr::io {

bool is_png(const std::string& first_bytes);

// A chunk with its length and checksum; `type` has four letters.
std::string png_chunk(const std::string& type, const std::string& content);

// The size according to the first chunk, to be checked before anything is decoded.
struct PngHeader {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    int bits_per_pixel = 0;
};
PngHeader png_header(const std::filesystem::path& file, const std::string& first_bytes);

// Decoders stop after the last pixel and may miss that a file is truncated or altered. This checks
// all chunks: every checksum must be right, IEND must be present, and the compressed data must be
// large enough for the pixels. Error(input) otherwise.
void require_intact_png(const std::filesystem::path& file, const std::string& bytes);

}  // namespace plenosr::io
