#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace plenosr::io {

// Error(input) if the file is missing, a folder, or a pipe or device, which may never end.
void require_regular_file(const std::filesystem::path& file);
bool is_file(const std::filesystem::path& file);  // false also on errors

// The whole file, or its first `limit` bytes.
std::string read_bytes(const std::filesystem::path& file, std::size_t limit = SIZE_MAX);

// A text file such as a manifest; more than largest_text_bytes are refused.
std::string read_small_text(const std::filesystem::path& file);

// Checks a picture's size against limits.h before memory is taken for it.
void require_sane_size(const std::filesystem::path& file, std::int64_t width, std::int64_t height);

}  // namespace plenosr::io
