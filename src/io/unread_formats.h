#pragma once

#include <filesystem>
#include <string>

namespace plenosr::io {

// What read_image() reads, for error messages.
inline constexpr const char* readable_pictures = "PNG, JPEG, TIFF, OpenEXR, BMP, PNM and PFM";

// For files of a common format that is not read (e.g. video, Lytro raw, WebP, HEIC): a clause that
// names a program that converts them. Only the extension counts; empty for other extensions.
std::string unread_format_hint(const std::filesystem::path& file);

}  // namespace plenosr::io
