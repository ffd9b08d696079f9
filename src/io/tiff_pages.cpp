#include "io/tiff_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <unordered_set>

#include "base/file_errors.h"
#include "io/byte_reader.h"
#include "io/input_file.h"
#include "io/limits.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "TIFF file";

// Classic TIFF: "II" or "MM", 42, the place of the first directory. A directory: the number of
// entries (2 bytes), 12 bytes each, the place of the next directory or 0 (4 bytes).
// BigTIFF: "II" or "MM", 43, 8, 0, then the same with 8, 20 and 8 bytes.
struct Layout {
    bool big_endian = false;
    std::size_t place_at = 4;
    std::size_t place_bytes = 4;
    std::size_t count_bytes = 2;
    std::uint64_t entry_bytes = 12;

    std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t size) const {
        return ByteReader(bytes, big_endian ? ByteReader::big_endian : ByteReader::little_endian)
            .number(at, size);
    }
    std::size_t header_bytes() const { return place_at + place_bytes; }
};

Layout layout_of(const fs::path& file, std::string_view header) {
    if (!is_tiff(header)) refuse_file(file, "it does not begin like a TIFF file", kind);
    Layout layout;
    layout.big_endian = header.starts_with("MM");
    const bool big = layout.number(header, 2, 2) == 43;
    if (big) layout.place_at = layout.place_bytes = layout.count_bytes = 8, layout.entry_bytes = 20;
    if (header.size() < layout.header_bytes()) refuse_file(file, "it ends within its header", kind);
    return layout;
}

}  // namespace

bool is_tiff(std::string_view first_bytes) {
    using namespace std::string_view_literals;
    return first_bytes.starts_with("II*\0"sv) || first_bytes.starts_with("MM\0*"sv) ||
           first_bytes.starts_with("II+\0"sv) || first_bytes.starts_with("MM\0+"sv);
}

std::vector<std::uint64_t> tiff_pages(const fs::path& file) {
    require_regular_file(file);
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream) refuse_file(file, "it cannot be opened");
    return tiff_pages(file, size, [&](std::uint64_t place, char* to, std::size_t count) {
        stream.seekg(std::streamoff(place));
        return bool(stream.read(to, std::streamsize(count)));
    });
}

std::vector<std::uint64_t> tiff_pages(const fs::path& file, std::uint64_t size,
                                      const ReadAt& read_at) {
    const auto read = [&](std::uint64_t place, std::size_t count) {
        std::string bytes(count, '\0');
        if (!read_at(place, bytes.data(), count))
            refuse_file(file, "it cannot be read to its end", kind);
        return bytes;
    };
    const std::string header =
        read(0, std::size_t(std::min<std::uint64_t>(size, longest_tiff_header)));
    const Layout layout = layout_of(file, header);
    const auto read_number = [&](std::uint64_t place, std::size_t count) {
        return layout.number(read(place, count), 0, count);
    };
    std::vector<std::uint64_t> pages;
    std::unordered_set<std::uint64_t> seen;
    std::uint64_t page = layout.number(header, layout.place_at, layout.place_bytes);
    while (page != 0) {
        if (!seen.insert(page).second)
            refuse_file(file, fmt::format("its page {} leads back to an earlier one", pages.size()),
                        kind);
        if (pages.size() >= std::size_t(most_pages))
            refuse_file(file, fmt::format("it has more than {} pages", most_pages), kind);
        const auto outside = [&] {
            refuse_file(file, fmt::format("its page {} lies outside the file", pages.size()), kind);
        };
        if (page > size || size - page < layout.count_bytes) outside();
        const std::uint64_t entries = read_number(page, layout.count_bytes);
        const std::uint64_t left = size - page - layout.count_bytes;
        if (entries > left / layout.entry_bytes ||
            left - entries * layout.entry_bytes < layout.place_bytes)
            outside();
        pages.push_back(page);
        page = read_number(page + layout.count_bytes + entries * layout.entry_bytes,
                           layout.place_bytes);
    }
    if (pages.empty()) refuse_file(file, "it has no page", kind);
    return pages;
}

std::string tiff_header_of_page(const fs::path& file, std::string header, std::uint64_t page) {
    const Layout layout = layout_of(file, header);
    for (std::size_t i = 0; i < layout.place_bytes; ++i) {
        const std::size_t at = layout.big_endian ? layout.place_bytes - 1 - i : i;
        header[layout.place_at + at] = char(page >> (8 * i) & 0xFFU);
    }
    return header;
}

}  // namespace plenosr::io
