#include "io/tiff_pages.h"

#include <fmt/format.h>

#include <array>
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

constexpr std::size_t longest_header = 16;

Layout layout_of(const fs::path& file, const std::string& header) {
    if (!is_tiff(header)) refuse_file(file, "it does not begin like a TIFF file", kind);
    Layout layout;
    layout.big_endian = header.starts_with("MM");
    const bool big = layout.number(header, 2, 2) == 43;
    if (big) layout.place_at = layout.place_bytes = layout.count_bytes = 8, layout.entry_bytes = 20;
    if (header.size() < layout.header_bytes()) refuse_file(file, "it ends within its header", kind);
    return layout;
}

}  // namespace

bool is_tiff(const std::string& first_bytes) {
    using namespace std::string_view_literals;
    return first_bytes.starts_with("II*\0"sv) || first_bytes.starts_with("MM\0*"sv) ||
           first_bytes.starts_with("II+\0"sv) || first_bytes.starts_with("MM\0+"sv);
}

std::vector<std::uint64_t> tiff_pages(const fs::path& file) {
    const std::string header = read_bytes(file, longest_header);
    const Layout layout = layout_of(file, header);
    std::error_code error;
    const std::uint64_t size = fs::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    const auto read_number = [&](std::uint64_t at, std::size_t bytes) {
        std::array<char, 8> buffer{};
        stream.seekg(std::streamoff(at));
        if (!stream.read(buffer.data(), std::streamsize(bytes)))
            refuse_file(file, "it cannot be read to its end", kind);
        return layout.number({buffer.data(), buffer.size()}, 0, bytes);
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

TiffPage::TiffPage(const fs::path& file, std::uint64_t page)
    : IOFile(file.string(), Read), header_(read_bytes(file, longest_header)) {
    const Layout layout = layout_of(file, header_);
    for (std::size_t i = 0; i < layout.place_bytes; ++i) {
        const std::size_t at = layout.big_endian ? layout.place_bytes - 1 - i : i;
        header_[layout.place_at + at] = char(page >> (8 * i) & 0xFFU);
    }
}

std::size_t TiffPage::read(void* buffer, std::size_t size) {
    const std::int64_t offset = tell();
    const std::size_t count = IOFile::read(buffer, size);
    patch(static_cast<char*>(buffer), count, offset);
    return count;
}

std::size_t TiffPage::pread(void* buffer, std::size_t size, std::int64_t offset) {
    const std::size_t count = IOFile::pread(buffer, size, offset);
    patch(static_cast<char*>(buffer), count, offset);
    return count;
}

void TiffPage::patch(char* buffer, std::size_t size, std::int64_t offset) const {
    for (std::size_t i = 0; i < size && std::size_t(offset) + i < header_.size(); ++i)
        buffer[i] = header_[std::size_t(offset) + i];
}

}  // namespace plenosr::io
