#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace plenosr::io {

// Refuses what is missing, a folder, or something whose reading might never end (a pipe, a
// device): Error(input).
void require_regular_file(const std::filesystem::path& file);

// The whole file, or its first `limit` bytes.
std::string read_bytes(const std::filesystem::path& file, std::size_t limit = SIZE_MAX);

// A small text file such as a manifest; larger ones than `limit` are refused.
std::string read_small_text(const std::filesystem::path& file, std::size_t limit = 1U << 20);

// Guards memory before a picture is decoded: at most 65536 pixels a side and 2^30 in all.
void require_sane_size(const std::filesystem::path& file, std::int64_t width, std::int64_t height);

}  // namespace plenosr::io
