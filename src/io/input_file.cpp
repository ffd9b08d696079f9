#include "io/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/file_errors.h"
#include "io/limits.h"
#include "io/memory_limit.h"

namespace plenosr::io {

namespace fs = std::filesystem;

void require_regular_file(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::not_found) refuse_file(file, "it does not exist");
    if (error) refuse_file(file, error.message());
    if (fs::is_directory(status)) refuse_file(file, "it is a folder");
    if (!fs::is_regular_file(status))
        refuse_file(file, "it is a pipe, socket or device; a regular file is expected");
}

bool is_file(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error);
}

std::string read_bytes(const fs::path& file, std::size_t limit) {
    require_regular_file(file);
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream) refuse_file(file, "it cannot be opened");
    require_memory(file, "its content", double(std::min<std::uintmax_t>(size, limit)),
                   memory_limit(0));
    std::string bytes(std::size_t(std::min<std::uintmax_t>(size, limit)), '\0');
    stream.read(bytes.data(), std::streamsize(bytes.size()));
    if (std::size_t(stream.gcount()) != bytes.size())
        refuse_file(file, fmt::format("reading stopped after {} of {} bytes", stream.gcount(),
                                      bytes.size()));
    return bytes;
}

std::string read_small_text(const fs::path& file) {
    std::string text = read_bytes(file, largest_text_bytes + 1);
    if (text.size() > largest_text_bytes)
        refuse_file(file, fmt::format("it is larger than {} bytes, the limit for such a text file",
                                      largest_text_bytes));
    return text;
}

void require_sane_size(const fs::path& file, std::int64_t width, std::int64_t height) {
    if (width < 1 || height < 1 || width > longest_side_px || height > longest_side_px ||
        width * height > most_pixels)
        refuse_file(file,
                    fmt::format("it claims {}x{} pixels; each side must have 1 to {} pixels, and "
                                "the picture at most {}",
                                width, height, longest_side_px, most_pixels),
                    "picture");
}

}  // namespace plenosr::io
