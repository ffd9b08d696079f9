#pragma once

#include <OpenImageIO/filesystem.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace plenosr::io {

// A TIFF file as if the directory at `page` were its first one. Decoders that are asked for page k
// walk through all pages before it; for this file they need only page 0.
class TiffPage : public OIIO::Filesystem::IOFile {
public:
    TiffPage(const std::filesystem::path& file, std::uint64_t page);

    std::size_t read(void* buffer, std::size_t size) override;
    std::size_t pread(void* buffer, std::size_t size, std::int64_t offset) override;

private:
    void patch(char* buffer, std::size_t size, std::int64_t offset) const;

    std::string header_;  // the first bytes of the file with the other place
};

}  // namespace plenosr::io
