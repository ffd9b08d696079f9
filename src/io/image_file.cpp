#include "io/image_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace plenosr::io {

namespace fs = std::filesystem;

std::string extension_of(PixelFormat format) {
    return format == PixelFormat::float32 ? ".pfm" : ".png";
}

std::string lower_extension(const fs::path& file) {
    std::string extension = file.extension().string();
    for (char& letter : extension) {
        if (letter >= 'A' && letter <= 'Z') letter = char(letter - 'A' + 'a');
    }
    return extension;
}

bool has_picture_extension(const fs::path& file) {
    constexpr std::array<std::string_view, 11> known = {
        ".png", ".pfm", ".jpg", ".jpeg", ".tif", ".tiff", ".exr", ".bmp", ".ppm", ".pgm", ".pnm"};
    return std::find(known.begin(), known.end(), lower_extension(file)) != known.end();
}

std::string different_size(const Image& image, const Image& other, const fs::path& other_file) {
    return fmt::format(
        "it has {}x{} pixels and {} channels, but {} has {}x{} and {}; all must be equal",
        image.width, image.height, image.channels, other_file.filename().string(), other.width,
        other.height, other.channels);
}

}  // namespace plenosr::io
