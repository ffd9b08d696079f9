#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/io.h"

namespace plenosr::io {

inline constexpr const char* manifest_name = "lightfield.json";

// The content of lightfield.json, which describes the folder that holds it (docs/formats.md).
struct Manifest {
    struct View {
        ViewPosition position;
        std::string file;       // inside the folder
        std::string disparity;  // inside the folder; empty if there is no map
    };
    std::string format;
    ViewGrid grid;  // rows = 0 if not given
    PixelFormat pixels = PixelFormat::bits8;
    std::optional<DegradationRecord> degradation;

    // Since version 2. If all of them have their defaults, version 1 is written.
    std::vector<View> views = {};  // of the format "list"
    std::string pattern = {};      // of the format "row_col"
    Box crop = {};
    ColourSpace colour_space = ColourSpace::srgb;
    int disparity_sign = 1;            // -1: near points have smaller values
    bool disparity_per_width = false;  // true: fractions of the map's width; false: pixels
};

// Paths, and the FILE of psf:FILE, are stored relative to `folder` and are absolute after reading.
// They stay valid if the working directory changes or if all folders move together. FILE must be
// inside the folder, because a manifest with another one cannot be read.
std::string format_manifest(const Manifest& manifest, const std::filesystem::path& folder);

// Parses the content of a manifest in `folder`. Error(input) names the file.
Manifest parse_manifest(const std::filesystem::path& folder, const std::string& text);

// Error(input) if a file of `views` is missing in `folder`.
void require_listed_files(const std::filesystem::path& folder, const Manifest& manifest);

// Nothing if the folder has no manifest; Error(input) if the manifest is invalid.
std::optional<Manifest> read_manifest(const std::filesystem::path& folder);

}  // namespace plenosr::io
