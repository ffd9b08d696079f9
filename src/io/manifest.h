#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/io.h"

namespace plenosr::io {

inline constexpr const char* manifest_name = "lightfield.json";

// What lightfield.json says about the folder that holds it (docs/formats.md).
struct Manifest {
    struct View {
        ViewPosition position;
        std::string file;       // inside the folder
        std::string disparity;  // likewise; empty if none
    };
    std::string format;
    ViewGrid grid;  // rows = 0: not told
    PixelFormat pixels = PixelFormat::bits8;
    std::optional<DegradationRecord> degradation;

    // Since version 2; files that say nothing of these are written as version 1.
    std::vector<View> views = {};  // of the format "list"
    std::string pattern = {};      // of the format "row_col"
    LightFieldIndex::Crop crop = {};
    ColourSpace colour_space = ColourSpace::srgb;
    int disparity_sign = 1;            // -1: near points have smaller values
    bool disparity_per_width = false;  // values are fractions of the width, else pixels
};

// Paths, and the file of a psf:FILE blur, are stored relative to `folder` and come back absolute,
// so that neither the working directory nor a move of everything together breaks them.
std::string format_manifest(const Manifest& manifest, const std::filesystem::path& folder);

// `text` is the content of a manifest in `folder`; Error(input) names the file.
Manifest parse_manifest(const std::filesystem::path& folder, const std::string& text);

// Nothing if the folder holds no manifest; Error(input) if it holds a bad one.
std::optional<Manifest> read_manifest(const std::filesystem::path& folder);

}  // namespace plenosr::io
