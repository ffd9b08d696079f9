#include "io/picture_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "base/file_errors.h"
#include "io/byte_reader.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "io/memory_limit.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* damaged_header = "its header is damaged";

[[noreturn]] void refuse_picture(const fs::path& file, const std::string& reason) {
    refuse_file(file, reason, "picture");
}

void require_length(const fs::path& file, double size, std::int64_t width, std::int64_t height,
                    double fewest) {
    if (size < fewest)
        refuse_picture(file, fmt::format("{}x{} pixels take at least {:.0f} bytes, but it has "
                                         "{:.0f}",
                                         width, height, fewest, size));
}

// The numbers of a PNM header, separated by white space and comments.
class PnmHeader {
public:
    PnmHeader(const fs::path& file, std::string_view bytes) : file_(file), bytes_(bytes) {}

    char type() const { return bytes_[1]; }
    std::int64_t number() {
        while (at_ < bytes_.size() && (is_space(bytes_[at_]) || bytes_[at_] == '#')) {
            if (bytes_[at_] == '#') at_ = std::min(bytes_.find('\n', at_), bytes_.size() - 1);
            ++at_;
        }
        std::int64_t value = 0;
        const char* end = bytes_.data() + bytes_.size();
        const auto [stop, error] = std::from_chars(bytes_.data() + at_, end, value);
        if (error != std::errc() || value < 0) refuse_picture(file_, damaged_header);
        at_ = std::size_t(stop - bytes_.data());
        return value;
    }
    std::size_t size() const { return at_ + 1; }  // with the white space after the last number

private:
    static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

    const fs::path& file_;
    std::string_view bytes_;
    std::size_t at_ = 2;
};

}  // namespace

void require_plausible_pnm(const fs::path& file, std::string_view bytes, double size) {
    PnmHeader header(file, bytes);
    const std::int64_t width = header.number();
    const std::int64_t height = header.number();
    const std::int64_t white = header.number();
    require_sane_size(file, width, height);
    if (white < 1 || white > 65535)
        refuse_picture(file, fmt::format("its largest value is {}; 1 to 65535 are allowed", white));
    const bool text = header.type() == '2' || header.type() == '3';
    const bool colour = header.type() == '3' || header.type() == '6';
    const double samples = double(width) * double(height) * (colour ? 3 : 1);
    // In text, a digit and a separator; none is needed after the last digit.
    const double fewest = text ? 2 * samples - 1 : samples * (white > 255 ? 2 : 1);
    require_length(file, size, width, height, double(header.size()) + fewest);
}

void require_plausible_bmp(const fs::path& file, std::string_view first_bytes, double size) {
    const ByteReader bytes(first_bytes, ByteReader::little_endian);
    constexpr std::uint64_t old_header = 12;  // of OS/2
    if (!bytes.has(30, 4)) refuse_picture(file, "it ends within its header");
    const bool old = bytes.number(14, 4) == old_header;
    const std::int64_t width =
        old ? std::int64_t(bytes.number(18, 2)) : std::int64_t(std::int32_t(bytes.number(18, 4)));
    const std::int64_t height =
        old ? std::int64_t(bytes.number(20, 2)) : std::int64_t(std::int32_t(bytes.number(22, 4)));
    const auto bits = std::int64_t(bytes.number(old ? 24 : 28, 2));
    const std::uint64_t compression = old ? 0 : bytes.number(30, 4);
    require_sane_size(file, width, std::abs(height));  // negative: rows from top to bottom
    constexpr std::array<std::int64_t, 7> depths = {1, 2, 4, 8, 16, 24, 32};
    if (std::find(depths.begin(), depths.end(), bits) == depths.end())
        refuse_picture(file, fmt::format("it has {} bits per pixel; 1, 2, 4, 8, 16, 24 or 32 are "
                                         "allowed",
                                         bits));
    constexpr std::uint64_t rle_8 = 1;
    constexpr std::uint64_t rle_4 = 2;
    const auto rows = double(std::abs(height));
    const double fewest =
        compression == rle_8 || compression == rle_4
            ? double(width) * rows / bmp_pixels_per_byte
            : double(bytes.number(10, 4)) + double((bits * width + 31) / 32 * 4) * rows;
    require_length(file, size, width, std::abs(height), fewest);
}

// JPEG: markers (FF and a type) with their lengths; a scan is followed by compressed data up to the
// next marker. The frame marker holds the size.
void require_plausible_jpeg(const fs::path& file, std::string_view content) {
    const ByteReader bytes(content, ByteReader::big_endian);
    const auto type_at = [&](std::size_t at) {
        return static_cast<unsigned char>(content[at + 1]);
    };
    bool has_frame = false;
    int scans = 0;
    std::size_t at = 2;
    while (bytes.has(at, 4)) {
        if (content[at] != '\xff') break;
        const unsigned type = type_at(at);
        if (type == 0xFF) {  // a fill byte
            ++at;
            continue;
        }
        if (type == 0xD9) break;  // end of the picture
        if (type == 0x01 || (type >= 0xD0 && type <= 0xD8)) {
            at += 2;
            continue;
        }
        const std::uint64_t length = bytes.number(at + 2, 2);
        const bool frame =
            type >= 0xC0 && type <= 0xCF && type != 0xC4 && type != 0xC8 && type != 0xCC;
        if (frame) {
            if (has_frame || !bytes.has(at + 4, 6)) refuse_picture(file, damaged_header);
            has_frame = true;
            const auto height = std::int64_t(bytes.number(at + 5, 2));
            const auto width = std::int64_t(bytes.number(at + 7, 2));
            const auto channels = double(bytes.number(at + 9, 1));
            require_sane_size(file, width, height);
            const double samples = double(width) * double(height) * channels;
            require_length(file, double(content.size()), width, height,
                           samples / double(decoder_best_ratio));
            // A progressive picture is kept as coefficients of two bytes until it is complete.
            require_memory(file, "the picture",
                           samples * double(sizeof(float) + sizeof(std::int16_t) + 1),
                           memory_limit(0));
        }
        at += 2 + std::size_t(length);
        if (type != 0xDA) continue;
        if (++scans > most_jpeg_scans)
            refuse_picture(file, fmt::format("it has more than {} scans", most_jpeg_scans));
        while (bytes.has(at, 2) && (content[at] != '\xff' || type_at(at) == 0x00 ||
                                    (type_at(at) >= 0xD0 && type_at(at) <= 0xD7)))
            at = std::min(content.find('\xff', at + 1), content.size());
    }
    if (!has_frame) refuse_picture(file, damaged_header);
}

}  // namespace plenosr::io
