#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "plenosr/io.h"

namespace plenosr::io {

inline constexpr const char* manifest_name = "lightfield.json";

// What lightfield.json says about the folder that holds it (docs/formats.md).
struct Manifest {
    std::string format;
    ViewGrid grid;
    PixelFormat pixels = PixelFormat::bits8;
    std::optional<DegradationRecord> degradation;
};

// Paths, and the file of a psf:FILE blur, are stored relative to `folder` and come back absolute,
// so that neither the working directory nor a move of everything together breaks them.
std::string format_manifest(const Manifest& manifest, const std::filesystem::path& folder);

// Nothing if the folder holds no manifest; Error(input) if it holds a bad one.
std::optional<Manifest> read_manifest(const std::filesystem::path& folder);

}  // namespace plenosr::io
