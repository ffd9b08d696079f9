#include "io/metadata.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "io/byte_reader.h"
#include "io/exif.h"
#include "io/png_structure.h"

namespace plenosr::io {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view jpeg_start = "\xff\xd8"sv;
constexpr std::string_view exif_name = "Exif\0\0"sv;
constexpr std::string_view profile_name = "ICC_PROFILE\0"sv;
constexpr std::size_t png_signature = 8;
constexpr std::size_t png_overhead = 12;  // bytes of length, type and checksum of a chunk

// ---- JPEG: segments of a marker, a length and a content, up to the first scan
// --------------------
struct Segment {
    unsigned type = 0;
    std::size_t at = 0;   // of the marker
    std::size_t end = 0;  // after the content
    std::string_view content;
};

std::vector<Segment> segments_of(std::string_view bytes) {
    constexpr unsigned start_of_scan = 0xDA;
    const ByteReader reader(bytes, ByteReader::big_endian);
    std::vector<Segment> segments;
    for (std::size_t at = jpeg_start.size(); reader.has(at, 4) && bytes[at] == '\xff';) {
        const auto type = unsigned(static_cast<unsigned char>(bytes[at + 1]));
        const std::uint64_t length = reader.number(at + 2, 2);
        if (type == start_of_scan || length < 2 || !reader.has(at + 2, length)) break;
        const std::size_t end = at + 2 + std::size_t(length);
        segments.push_back({type, at, end, bytes.substr(at + 4, std::size_t(length) - 2)});
        at = end;
    }
    return segments;
}

constexpr unsigned app_0 = 0xE0;
constexpr unsigned app_1 = 0xE1;
constexpr unsigned app_2 = 0xE2;
constexpr unsigned app_13 = 0xED;

std::string segment(unsigned type, const std::string& content) {
    return std::string{'\xff', char(type)} + big_endian(content.size() + 2, 2) + content;
}

std::string jpeg_with(const std::string& bytes, const Metadata& metadata) {
    std::string own;
    if (!metadata.exif.empty()) own += segment(app_1, std::string(exif_name) + metadata.exif);
    constexpr std::size_t largest_part = 65519;  // bytes of a profile in one segment
    const std::size_t parts = (metadata.icc_profile.size() + largest_part - 1) / largest_part;
    for (std::size_t i = 0; i < parts; ++i)
        own += segment(app_2, std::string(profile_name) + char(i + 1) + char(parts) +
                                  metadata.icc_profile.substr(i * largest_part, largest_part));
    std::string head(jpeg_start);
    std::string rest;
    std::size_t end = jpeg_start.size();
    for (const Segment& s : segments_of(bytes)) {
        end = s.end;
        if (s.type == app_1 || s.type == app_2 || s.type == app_13) continue;
        (s.type == app_0 ? head : rest) += bytes.substr(s.at, s.end - s.at);
    }
    return head + own + rest + bytes.substr(end);
}

// ---- PNG
// -----------------------------------------------------------------------------------------
struct Chunk {
    std::string_view type;
    std::size_t at = 0;
    std::size_t end = 0;
    std::string_view content;
};

std::vector<Chunk> chunks_of(std::string_view bytes) {
    const ByteReader reader(bytes, ByteReader::big_endian);
    std::vector<Chunk> chunks;
    for (std::size_t at = png_signature; reader.has(at, png_overhead);) {
        const std::uint64_t length = reader.number(at, 4);
        if (!reader.has(at, png_overhead + length)) break;
        const std::size_t end = at + png_overhead + std::size_t(length);
        chunks.push_back(
            {bytes.substr(at + 4, 4), at, end, bytes.substr(at + 8, std::size_t(length))});
        at = end;
    }
    return chunks;
}

// A zlib stream that stores the bytes without compression: profiles are small.
std::string stored_stream(std::string_view bytes) {
    constexpr std::size_t largest_block = 65535;
    constexpr std::uint32_t modulus = 65521;  // of Adler-32
    std::uint32_t a = 1;
    std::uint32_t b = 0;
    for (const char byte : bytes) {
        a = (a + static_cast<unsigned char>(byte)) % modulus;
        b = (b + a) % modulus;
    }
    std::string stream = "\x78\x01";
    for (std::size_t at = 0; at < bytes.size(); at += largest_block) {
        const std::string_view block = bytes.substr(at, largest_block);
        const bool last = at + block.size() == bytes.size();
        stream += char(last ? 1 : 0);
        stream += little_endian(block.size(), 2) + little_endian(~block.size(), 2);
        stream += block;
    }
    return stream + big_endian(b, 2) + big_endian(a, 2);
}

std::string png_with(const std::string& bytes, const Metadata& metadata) {
    std::string own;
    if (!metadata.icc_profile.empty())
        own += png_chunk("iCCP",
                         std::string("ICC profile\0\0", 13) + stored_stream(metadata.icc_profile));
    if (!metadata.exif.empty()) own += png_chunk("eXIf", metadata.exif);
    std::string result = bytes.substr(0, png_signature);
    for (const Chunk& chunk : chunks_of(bytes)) {
        const bool replaced =
            chunk.type == "eXIf" ||
            (!metadata.icc_profile.empty() &&
             (chunk.type == "iCCP" || chunk.type == "sRGB" || chunk.type == "gAMA"));
        if (!replaced) result += bytes.substr(chunk.at, chunk.end - chunk.at);
        if (chunk.type == "IHDR") result += own;
    }
    return result;
}

// ---- TIFF: the directory is written again behind the file ---------------------------------------
std::string tiff_with(const std::string& picture, const Metadata& metadata) {
    const std::size_t end = picture.size() + picture.size() % 2;
    constexpr std::size_t most_added = 2 * largest_profile_bytes;
    if (end > std::numeric_limits<std::uint32_t>::max() - most_added) return picture;
    std::string bytes = picture;
    constexpr std::uint16_t profile_tag = 34675;
    constexpr std::uint16_t exposure_tag = 34665;
    constexpr std::uint16_t date_tag = 306;  // that of the encoder is no_date
    constexpr std::uint16_t undefined = 7;   // the type of bytes without a meaning
    constexpr std::size_t entry_bytes = 12;
    const ByteReader reader(bytes, ByteReader::little_endian);
    if (!reader.has(0, 8)) return bytes;
    const auto first = std::size_t(reader.number(4, 4));
    if (!reader.has(first, 2)) return bytes;
    const std::uint64_t count = reader.number(first, 2);
    if (!reader.has(first + 2, count * entry_bytes)) return bytes;
    const ExifTags tags = parse_exif(metadata.exif);
    std::vector<ExifTag> kept;
    for (std::size_t at = first + 2; at < first + 2 + count * entry_bytes; at += entry_bytes) {
        ExifTag tag{
            std::uint16_t(reader.number(at, 2)), std::uint16_t(reader.number(at + 2, 2)), {}};
        const bool replaced = tag.tag == exposure_tag || tag.tag == profile_tag ||
                              tag.tag == date_tag ||
                              std::any_of(tags.picture.begin(), tags.picture.end(),
                                          [&](const ExifTag& own) { return own.tag == tag.tag; });
        if (replaced) continue;
        const std::uint64_t length = reader.number(at + 4, 4) * exif_type_bytes(tag.type);
        const std::size_t place = length <= 4 ? at + 8 : std::size_t(reader.number(at + 8, 4));
        if (length == 0 || !reader.has(place, length)) return bytes;
        tag.values = bytes.substr(place, std::size_t(length));
        kept.push_back(std::move(tag));
    }
    if (!metadata.icc_profile.empty())
        kept.push_back({profile_tag, undefined, metadata.icc_profile});
    bytes.resize(end, '\0');
    std::uint32_t directory = 0;
    bytes += format_exif_directories(tags, std::move(kept), std::uint32_t(end), directory);
    return bytes.replace(4, 4, little_endian(directory, 4));
}

// ---- WebP: the simple form, one chunk, becomes the extended one
// ----------------------------------
std::string riff_chunk(std::string_view type, std::string_view content) {
    std::string chunk = std::string(type) + little_endian(content.size(), 4);
    chunk += content;
    chunk.resize(chunk.size() + chunk.size() % 2, '\0');
    return chunk;
}

std::string webp_with(std::string bytes, const Metadata& metadata) {
    constexpr std::size_t header = 12;         // "RIFF", the size of the rest, "WEBP"
    constexpr std::size_t size_of_frame = 26;  // of a lossy picture: width and height, 14 bits each
    constexpr unsigned has_profile = 0x20;
    constexpr unsigned has_exif = 0x08;
    const ByteReader reader(bytes, ByteReader::little_endian);
    if (!reader.has(size_of_frame, 4) || bytes.compare(header, 4, "VP8 ") != 0) return bytes;
    const std::uint64_t width = reader.number(size_of_frame, 2) & 0x3FFFU;
    const std::uint64_t height = reader.number(size_of_frame + 2, 2) & 0x3FFFU;
    const unsigned flags =
        (metadata.icc_profile.empty() ? 0 : has_profile) | (metadata.exif.empty() ? 0 : has_exif);
    std::string body =
        "WEBP" + riff_chunk("VP8X", little_endian(flags, 4) + little_endian(width - 1, 3) +
                                        little_endian(height - 1, 3));
    if (!metadata.icc_profile.empty()) body += riff_chunk("ICCP", metadata.icc_profile);
    body += bytes.substr(header);
    if (!metadata.exif.empty()) body += riff_chunk("EXIF", metadata.exif);
    return "RIFF" + little_endian(body.size(), 4) + body;
}

}  // namespace

std::string_view exif_in_jpeg(std::string_view content) {
    for (const Segment& s : segments_of(content))
        if (s.type == app_1 && s.content.starts_with(exif_name))
            return s.content.substr(exif_name.size());
    return {};
}

std::string_view exif_in_png(std::string_view content) {
    for (const Chunk& chunk : chunks_of(content))
        if (chunk.type == "eXIf") return chunk.content;
    return {};
}

bool is_profile(std::string_view profile, int channels) {
    constexpr std::size_t header = 128;
    if (profile.size() <= header || profile.size() > largest_profile_bytes) return false;
    const ByteReader reader(profile, ByteReader::big_endian);
    return reader.number(0, 4) == profile.size() && profile.substr(36, 4) == "acsp" &&
           profile.substr(16, 4) == (channels == 1 ? "GRAY" : "RGB ");
}

std::string with_metadata(std::string bytes, const Metadata& metadata) {
    if (bytes.starts_with(jpeg_start)) return jpeg_with(bytes, metadata);
    if (metadata == Metadata()) return bytes;
    if (is_png(bytes)) return png_with(bytes, metadata);
    if (bytes.starts_with("II*\0"sv)) return tiff_with(bytes, metadata);
    if (bytes.starts_with("RIFF")) return webp_with(std::move(bytes), metadata);
    return bytes;
}

}  // namespace plenosr::io
