#pragma once

#include <string_view>

namespace plenosr {

// A blur that begins with one of these names a file.
inline constexpr std::string_view psf_grid_prefix = "psf-grid:";
inline constexpr std::string_view psf_file_prefix = "psf:";

}  // namespace plenosr
