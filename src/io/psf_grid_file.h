#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/psf.h"

namespace plenosr::io {

// A grid of PSFs in JSON: the text of --blur of each node, row by row. Files that they name are
// inside the folder of the grid.
struct PsfGridTexts {
    int rows = 1;
    int cols = 1;
    std::vector<std::string> psfs;
};
PsfGridTexts parse_psf_texts(const std::filesystem::path& file, const std::string& text);
std::string format_psf_texts(const PsfGridTexts& grid);

// The grid of PSFs that `text`, the content of the JSON file `file`, describes.
PsfGrid parse_psf_grid(const std::filesystem::path& file, const std::string& text,
                       const SamplingGrid& sampling);

}  // namespace plenosr::io
