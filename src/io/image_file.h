#pragma once

#include <filesystem>
#include <string>

#include "plenosr/io.h"

namespace plenosr::io {

// ".png" or ".pfm": what a depth is written as unless an extension is asked for.
std::string extension_of(PixelFormat format);

// The extension in small letters.
std::string lower_extension(const std::filesystem::path& file);

// By the end of the name alone: png, pfm, jpg … in any case.
bool has_picture_extension(const std::filesystem::path& file);

// The bytes of the file; `file` is what errors name, and its end tells the encoding. `note` goes
// into the picture's description.
std::string encode_image(const std::filesystem::path& file, const Image& image, PixelFormat format,
                         const std::string& note = {});

// Pictures in one file (multi-page TIFF); 1 for most files.
int page_count(const std::filesystem::path& file);
Image read_page(const std::filesystem::path& file, int page);

// Is this a picture that read_image would try, by its first bytes?
bool looks_like_picture(const std::filesystem::path& file);
// What the picture's description says, e.g. how values of a disparity map are meant.
std::string image_note(const std::filesystem::path& file);

}  // namespace plenosr::io
