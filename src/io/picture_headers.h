#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace plenosr::io {

// Decoders take memory for what a header claims when they open a file. These functions refuse,
// before that, a picture whose header claims more than its file can hold: Error(input). The bounds
// are exact where nothing is compressed; docs/formats.md, "Hostile files", has the others.
// `bytes` are the beginning of the file: as many as stated here, or all of it. They begin with the
// signature of the format. `size` is the length of the whole file.
inline constexpr std::size_t longest_pnm_header = 1U << 16U;
inline constexpr std::size_t longest_bmp_header = 64;
inline constexpr std::size_t longest_exr_header = 1U << 24U;  // the headers of all parts
void require_plausible_pnm(const std::filesystem::path& file, std::string_view bytes, double size);
void require_plausible_bmp(const std::filesystem::path& file, std::string_view bytes, double size);
void require_plausible_exr(const std::filesystem::path& file, std::string_view bytes, double size);
void require_plausible_jpeg(const std::filesystem::path& file, std::string_view whole);

}  // namespace plenosr::io
