#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plenosr::io {

inline constexpr std::size_t longest_tiff_header = 16;

bool is_tiff(std::string_view first_bytes);

// Where the directories of a TIFF, one per page, begin in the file. Each directory holds the place
// of the next one. Error(input) if they form a loop, lie outside the file, or are more than
// most_pages.
std::vector<std::uint64_t> tiff_pages(const std::filesystem::path& file);

// The same for `size` bytes, of which read_at(place, to, count) copies `count` and returns whether
// it could.
using ReadAt = std::function<bool(std::uint64_t place, char* to, std::size_t count)>;
std::vector<std::uint64_t> tiff_pages(const std::filesystem::path& file, std::uint64_t size,
                                      const ReadAt& read_at);

// The header of a TIFF, changed as if the directory at `page` were the first one.
std::string tiff_header_of_page(const std::filesystem::path& file, std::string header,
                                std::uint64_t page);

}  // namespace plenosr::io
