#pragma once

#include <filesystem>
#include <string>

namespace plenosr::io {

// Decoders take memory for what a header claims when they open a file. These functions refuse,
// before that, a picture whose header claims more than its file can hold: Error(input). The bounds
// are exact where nothing is compressed; docs/formats.md, "Hostile files", has the others.
// `first_bytes` are at least the first 64 bytes of the file, or all of it.
void require_plausible_pnm(const std::filesystem::path& file);
void require_plausible_bmp(const std::filesystem::path& file, const std::string& first_bytes);
void require_plausible_jpeg(const std::filesystem::path& file);
void require_plausible_exr(const std::filesystem::path& file);

}  // namespace plenosr::io
