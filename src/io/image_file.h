#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/io.h"

namespace plenosr::io {

// The default extension for a pixel format: ".png" or ".pfm".
std::string extension_of(PixelFormat format);

// The extension in lower case.
std::string lower_extension(const std::filesystem::path& file);

// True if the name ends in .png, .pfm, .jpg or another picture extension, in any case.
bool has_picture_extension(const std::filesystem::path& file);

// The bytes of a picture file. The extension of `file` selects the encoding, and errors name it.
// `note` becomes the picture's description.
std::string encode_image(const std::filesystem::path& file, const Image& image, PixelFormat format,
                         const std::string& note = {});
std::string encode_image(const std::filesystem::path& file, const Image& image,
                         const ImageEncoding& encoding, const std::string& note = {});
// A TIFF with several pages; all images have the size and channels of the first one.
std::string encode_pages(const std::filesystem::path& file, const std::vector<const Image*>& pages,
                         const ImageEncoding& encoding, const std::string& note = {});

// The pictures in a file: more than 1 for a multi-page TIFF. May be read by several threads.
class Pages {
public:
    explicit Pages(const std::filesystem::path& file);
    int count() const { return int(places_.size()); }
    Image read(int page) const;

private:
    std::filesystem::path file_;
    std::vector<std::uint64_t> places_;  // of the pages in a TIFF
};

// A flow in an EXR file: two channels, values as stored.
Image read_exr_flow(const std::filesystem::path& file);

// True if the first bytes are those of a format that read_image() reads.
bool looks_like_picture(const std::filesystem::path& file);
// The picture's description, e.g. the unit of a disparity map.
std::string image_note(const std::filesystem::path& file);

// For refuse_file(): how the size of `image` differs from that of the file `other_file`.
std::string different_size(const Image& image, const Image& other,
                           const std::filesystem::path& other_file);

}  // namespace plenosr::io
