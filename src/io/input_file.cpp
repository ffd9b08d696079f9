#include "io/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "plenosr/error.h"

namespace plenosr::io {

namespace fs = std::filesystem;

void require_regular_file(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::not_found) {
        throw Error(ErrorKind::input, fmt::format("The file {} does not exist.", file.string()));
    }
    if (error) {
        throw Error(ErrorKind::input,
                    fmt::format("The file {} cannot be read: {}.", file.string(), error.message()));
    }
    if (fs::is_directory(status)) {
        throw Error(ErrorKind::input,
                    fmt::format("{} is a folder where a file is expected.", file.string()));
    }
    if (!fs::is_regular_file(status)) {
        throw Error(ErrorKind::input,
                    fmt::format("{} is a pipe, socket or device where a regular file is expected.",
                                file.string()));
    }
}

std::string read_bytes(const fs::path& file, std::size_t limit) {
    require_regular_file(file);
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream) {
        throw Error(ErrorKind::input,
                    fmt::format("The file {} cannot be opened for reading.", file.string()));
    }
    std::string bytes(std::size_t(std::min<std::uintmax_t>(size, limit)), '\0');
    stream.read(bytes.data(), std::streamsize(bytes.size()));
    if (std::size_t(stream.gcount()) != bytes.size()) {
        throw Error(ErrorKind::input,
                    fmt::format("Reading the file {} stopped after {} of {} bytes.", file.string(),
                                stream.gcount(), bytes.size()));
    }
    return bytes;
}

std::string read_small_text(const fs::path& file, std::size_t limit) {
    std::string text = read_bytes(file, limit + 1);
    if (text.size() > limit) {
        throw Error(ErrorKind::input, fmt::format("The file {} is larger than {} bytes, more than "
                                                  "a text of its kind needs.",
                                                  file.string(), limit));
    }
    return text;
}

void require_sane_size(const fs::path& file, std::int64_t width, std::int64_t height) {
    constexpr std::int64_t longest_side = 1 << 16;
    constexpr std::int64_t most_pixels = 1 << 30;
    if (width < 1 || height < 1 || width > longest_side || height > longest_side ||
        width * height > most_pixels) {
        throw Error(ErrorKind::input,
                    fmt::format("The picture {} claims {}x{} pixels; sides of 1 to {} and at most "
                                "{} pixels in all are read.",
                                file.string(), width, height, longest_side, most_pixels));
    }
}

}  // namespace plenosr::io
