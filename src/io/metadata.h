#pragma once

#include <string>
#include <string_view>

#include "plenosr/io.h"

namespace plenosr::io {

inline constexpr std::size_t largest_profile_bytes = 1U << 22U;

// The EXIF block within the bytes of a file; empty if there is none. Damaged files are searched as
// far as their structure leads.
std::string_view exif_in_jpeg(std::string_view content);
std::string_view exif_in_png(std::string_view content);

// True if this looks like an ICC profile for grey (1) or RGB (3 channels) of an acceptable size.
bool is_profile(std::string_view profile, int channels);

// The bytes of a PNG, JPEG, TIFF or WebP file with metadata. What the file itself had of EXIF, XMP,
// IPTC and profiles is removed. Other files and empty metadata: a JPEG loses its own, the rest is
// returned as it is.
std::string with_metadata(std::string bytes, const Metadata& metadata);

}  // namespace plenosr::io
