#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plenosr::io {

// EXIF is a TIFF structure without pixels: a header, a directory of tags on the picture and the
// camera, and a second directory of tags on the exposure and the lens.
struct ExifTag {
    std::uint16_t tag = 0;
    std::uint16_t type = 0;  // of the TIFF specification: 2 is text, 3 a 16-bit number, ...
    std::string values;      // little endian

    bool operator==(const ExifTag&) const = default;
};
// In the order of their numbers.
struct ExifTags {
    std::vector<ExifTag> picture;
    std::vector<ExifTag> exposure;

    bool empty() const { return picture.empty() && exposure.empty(); }
    bool operator==(const ExifTags&) const = default;
};

// The tags that PlenoSR carries from an input to a result: camera, lens, exposure, dates, author.
// No orientation, because results are upright, and neither thumbnails nor positions nor the notes
// of camera makers. docs/formats.md, "Metadata", has the list. Tags that are damaged, as long as
// longest_exif_value or of an unexpected type are left out: metadata never make a picture
// unreadable.
// read_at(place, to, count) copies `count` of the `size` bytes and returns whether it could.
// `directory` is the place of the first directory; 0: as the header says.
using ReadExif = std::function<bool(std::uint64_t place, char* to, std::size_t count)>;
ExifTags parse_exif(std::uint64_t size, const ReadExif& read_at, std::uint64_t directory = 0);
ExifTags parse_exif(std::string_view block);

// The block, little endian, with the orientation 1. Empty if there are no tags.
std::string format_exif(const ExifTags& tags);

// The directories alone, for a file in which they begin at `place`, an even number. `more` are tags
// of the first directory besides those of `tags`; `place_of_picture` is set to the place of that
// directory.
std::string format_exif_directories(const ExifTags& tags, std::vector<ExifTag> more,
                                    std::uint32_t place, std::uint32_t& place_of_picture);

// Encoders that insist on a date get this one, because the same picture must give the same bytes.
// It is not carried.
inline constexpr const char* no_date = "1970:01:01 00:00:00";

inline constexpr std::size_t longest_exif_value = 1024;  // bytes
std::size_t exif_type_bytes(std::uint16_t type);         // of one value; 0: unknown type

}  // namespace plenosr::io
