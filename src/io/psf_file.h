#pragma once

#include <filesystem>
#include <string_view>

#include "plenosr/image.h"

namespace plenosr {

// A blur that begins with one of these names a file.
inline constexpr std::string_view psf_grid_prefix = "psf-grid:";
inline constexpr std::string_view psf_file_prefix = "psf:";

namespace io {

// The values of the FILE of psf:FILE as they are stored. Other pictures than PFM are read as luma.
Image read_psf_picture(const std::filesystem::path& file);

}  // namespace io

}  // namespace plenosr
