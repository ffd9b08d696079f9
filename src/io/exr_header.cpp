#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/file_errors.h"
#include "io/byte_reader.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "io/picture_headers.h"

// OpenEXR: a signature, version and flags (8 bytes), then a header for each part: attributes (name,
// type, length, value) up to an empty name. After the headers, each part has a table with the place
// of each of its blocks of pixels, 8 bytes per block.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "OpenEXR file";
constexpr std::size_t most_channels = 64;  // more than 4 are refused later
constexpr std::uint64_t multipart_flag = 0x1000;

// Rows of pixels in a block, by the number of the compression.
constexpr std::array<std::int64_t, 10> rows_per_block = {1, 1, 1, 16, 32, 16, 32, 32, 32, 256};

struct Part {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::int64_t rows_per_block = 1;
    std::int64_t tile_width = 0;  // 0: no tiles
    std::int64_t tile_height = 0;
    std::size_t channels = 0;

    double blocks() const {
        if (tile_width == 0) return double((height + rows_per_block - 1) / rows_per_block);
        return double((width + tile_width - 1) / tile_width) *
               double((height + tile_height - 1) / tile_height);
    }
};

class Headers {
public:
    Headers(const fs::path& file, std::string_view content)
        : file_(file), content_(content), bytes_(content, ByteReader::little_endian) {
        if (!bytes_.has(0, 8)) refuse("it ends within its header");
    }

    bool multipart() const { return (bytes_.number(4, 4) & multipart_flag) != 0; }

    // Nothing at the end of the headers.
    std::optional<Part> next() {
        Part part;
        for (bool first = true;; first = false) {
            const std::string_view name = text();
            if (name.empty()) {
                if (first) return {};
                return part;
            }
            const std::string_view type = text();
            if (!bytes_.has(at_, 4)) refuse("it ends within its header");
            const std::uint64_t length = bytes_.number(at_, 4);
            at_ += 4;
            if (!bytes_.has(at_, length))
                refuse(fmt::format("an attribute claims {} bytes, but {} are left", length,
                                   content_.size() - at_));
            add(name, type, std::size_t(length), part);
            at_ += std::size_t(length);
        }
    }

    [[noreturn]] void refuse(const std::string& reason) const { refuse_file(file_, reason, kind); }

private:
    std::string_view text() {
        const std::size_t end = content_.find('\0', at_);
        if (end == std::string_view::npos) refuse("it ends within its header");
        const std::string_view found = content_.substr(at_, end - at_);
        at_ = end + 1;
        return found;
    }

    std::int64_t integer(std::size_t offset) const {
        return std::int64_t(std::int32_t(bytes_.number(at_ + offset, 4)));
    }

    void add(std::string_view name, std::string_view type, std::size_t length, Part& part) const {
        if (name == "dataWindow" && type == "box2i" && length == 16) {
            part.width = integer(8) - integer(0) + 1;
            part.height = integer(12) - integer(4) + 1;
        } else if (name == "compression" && length == 1) {
            const auto method = std::size_t(bytes_.number(at_, 1));
            if (method < rows_per_block.size()) part.rows_per_block = rows_per_block[method];
        } else if (name == "tiles" && length == 9) {
            part.tile_width = std::int64_t(bytes_.number(at_, 4));
            part.tile_height = std::int64_t(bytes_.number(at_ + 4, 4));
            if (part.tile_width == 0 || part.tile_height == 0) refuse("its tiles are empty");
        } else if (name == "channels" && type == "chlist") {
            // Each: a name, its zero byte, and 16 bytes.
            const std::string_view list = content_.substr(at_, length);
            for (std::size_t at = 0; at < list.size() && list[at] != '\0'; ++part.channels)
                at = std::min(list.find('\0', at), list.size()) + 17;
        }
    }

    const fs::path& file_;
    std::string_view content_;
    ByteReader bytes_;
    std::size_t at_ = 8;
};

}  // namespace

void require_plausible_exr(const fs::path& file, std::string_view bytes, double size) {
    Headers headers(file, bytes);
    constexpr double place_bytes = 8;
    // Tiles may be larger than the picture, but decoders take memory for whole tiles.
    constexpr double usual_tile_px = 1 << 22;
    double blocks = 0;
    while (const std::optional<Part> part = headers.next()) {
        require_sane_size(file, part->width, part->height);
        if (part->channels > most_channels)
            headers.refuse(
                fmt::format("it has {} channels; it must be grey or RGB, with or "
                            "without alpha",
                            part->channels));
        const double tile_px = double(part->tile_width) * double(part->tile_height);
        if (tile_px > std::max(usual_tile_px, double(part->width) * double(part->height)))
            headers.refuse(fmt::format("its tiles of {}x{} pixels are larger than the picture",
                                       part->tile_width, part->tile_height));
        blocks += part->blocks();
        if (!headers.multipart()) break;
    }
    if (blocks == 0) headers.refuse("its header is empty");
    if (blocks * place_bytes > size)
        headers.refuse(
            fmt::format("the table of its {:.0f} blocks of pixels takes {:.0f} bytes, "
                        "but it has {:.0f}",
                        blocks, blocks * place_bytes, size));
}

}  // namespace plenosr::io
