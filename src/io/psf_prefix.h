#pragma once

#include <string_view>

namespace plenosr {

// What a blur begins with that names a file.
inline constexpr std::string_view psf_grid_prefix = "psf-grid:";
inline constexpr std::string_view psf_file_prefix = "psf:";

}  // namespace plenosr
