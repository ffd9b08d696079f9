#pragma once

#include <filesystem>
#include <string>

#include "plenosr/psf.h"

namespace plenosr::io {

// The grid of PSFs that `text`, the content of the JSON file `file`, describes.
PsfGrid parse_psf_grid(const std::filesystem::path& file, const std::string& text,
                       const SamplingGrid& sampling);

}  // namespace plenosr::io
