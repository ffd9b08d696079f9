#include "io/tiff_page.h"

#include "io/input_file.h"
#include "io/tiff_pages.h"

namespace plenosr::io {

TiffPage::TiffPage(const std::filesystem::path& file, std::uint64_t page)
    : IOFile(file.string(), Read),
      header_(tiff_header_of_page(file, read_bytes(file, longest_tiff_header), page)) {}

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
