#include "io/pfm.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/file_errors.h"
#include "base/output_batch.h"
#include "io/input_file.h"
#include "io/memory_limit.h"

// PFM: "Pf" (one channel) or "PF" (three), width, height and scale, separated by white space, one
// white-space character, then 32-bit floats, rows from the bottom to the top. A negative scale
// means little endian. Its absolute value is ignored, because programs disagree on its meaning.

namespace plenosr {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little ||
              std::endian::native == std::endian::big);
constexpr bool little_endian_machine = std::endian::native == std::endian::little;
constexpr std::size_t longest_header = 256;

struct Header {
    int width = 0;
    int height = 0;
    int channels = 1;
    bool little_endian = true;
    std::size_t size = 0;  // bytes, including the white space after the scale

    std::size_t data_size() const {
        return std::size_t(width) * std::size_t(height) * std::size_t(channels) * sizeof(float);
    }
};

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

[[noreturn]] void refuse_pfm(const fs::path& file, const std::string& reason) {
    refuse_file(file, reason, "PFM file");
}

// The next word of the header. Advances `at` past it.
std::string_view next_word(const fs::path& file, std::string_view text, std::size_t& at) {
    while (at < text.size() && is_space(text[at]))
        ++at;
    const std::size_t begin = at;
    while (at < text.size() && !is_space(text[at]))
        ++at;
    if (at >= text.size()) refuse_pfm(file, "its header is incomplete");
    return text.substr(begin, at - begin);
}

template <class Number>
Number number(const fs::path& file, std::string_view word, const char* name) {
    Number value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) {
        refuse_pfm(file, fmt::format("its {} is not a number", name));
    }
    return value;
}

Header parse_header(const fs::path& file, const std::string& bytes) {
    const std::string_view text = std::string_view(bytes).substr(0, longest_header);
    if (!io::is_pfm(bytes)) refuse_pfm(file, "it does not begin with Pf or PF");
    Header header;
    header.channels = text[1] == 'F' ? 3 : 1;
    std::size_t at = 2;
    const auto width = number<std::int64_t>(file, next_word(file, text, at), "width");
    const auto height = number<std::int64_t>(file, next_word(file, text, at), "height");
    const auto scale = number<double>(file, next_word(file, text, at), "scale");
    if (!std::isfinite(scale) || scale == 0) {
        refuse_pfm(file, "its scale must be positive (big endian) or negative (little endian)");
    }
    io::require_sane_size(file, width, height);
    header.width = int(width);
    header.height = int(height);
    header.little_endian = scale < 0;
    header.size = at + 1;
    return header;
}

// Copies the floats of one row and swaps their bytes if asked to.
void copy_row(const char* from, float* to, std::size_t count, bool swap) {
    std::memcpy(to, from, count * sizeof(float));
    if (!swap) return;
    auto* bytes = reinterpret_cast<unsigned char*>(to);
    for (std::size_t i = 0; i < count; ++i, bytes += sizeof(float)) {
        std::swap(bytes[0], bytes[3]);
        std::swap(bytes[1], bytes[2]);
    }
}

}  // namespace

namespace io {

bool is_pfm(const std::string& first_bytes) {
    return first_bytes.size() >= 3 && first_bytes[0] == 'P' &&
           (first_bytes[1] == 'f' || first_bytes[1] == 'F') && is_space(first_bytes[2]);
}

ImageInfo pfm_info(const fs::path& file) {
    const Header header = parse_header(file, read_bytes(file, longest_header));
    std::error_code error;
    if (fs::file_size(file, error) < header.size + header.data_size())
        refuse_pfm(file, fmt::format("it is too short for the {}x{} pixels that it claims",
                                     header.width, header.height));
    return {header.width, header.height, header.channels, PixelFormat::float32};
}

std::string encode_pfm(const fs::path& file, const Image& image) {
    if (image.empty() || (image.channels != 1 && image.channels != 3)) {
        refuse_output(file,
                      fmt::format("the image has {}x{} pixels and {} channels; it must have at "
                                  "least one pixel and 1 or 3 channels",
                                  image.width, image.height, image.channels),
                      "PFM file");
    }
    const std::string header =
        fmt::format("{}\n{} {}\n{}\n", image.channels == 3 ? "PF" : "Pf", image.width, image.height,
                    little_endian_machine ? "-1.0" : "1.0");
    const std::size_t row = std::size_t(image.width) * std::size_t(image.channels);
    std::string bytes(header.size() + image.values.size() * sizeof(float), '\0');
    header.copy(bytes.data(), header.size());
    char* to = bytes.data() + header.size();
    for (int y = image.height - 1; y >= 0; --y, to += row * sizeof(float)) {
        std::memcpy(to, &image.values[image.index(y, 0)], row * sizeof(float));
    }
    return bytes;
}

}  // namespace io

Image io::decode_pfm(const fs::path& file, const std::string& bytes) {
    Header header = parse_header(file, bytes);
    // On Windows the header may end with two characters.
    if (bytes.size() == header.size + 1 + header.data_size() && bytes[header.size - 1] == '\r' &&
        bytes[header.size] == '\n') {
        ++header.size;
    }
    if (bytes.size() != header.size + header.data_size()) {
        refuse_pfm(file,
                   fmt::format("{}x{} pixels with {} channels take {} bytes after the header, "
                               "but there are {}",
                               header.width, header.height, header.channels, header.data_size(),
                               bytes.size() - std::min(bytes.size(), header.size)));
    }
    Image image(header.width, header.height, header.channels);
    const std::size_t row = std::size_t(image.width) * std::size_t(image.channels);
    const char* from = bytes.data() + header.size;
    for (int y = image.height - 1; y >= 0; --y, from += row * sizeof(float)) {
        copy_row(from, &image.values[image.index(y, 0)], row,
                 header.little_endian != little_endian_machine);
    }
    return image;
}

Image read_pfm(const fs::path& file) {
    std::error_code error;
    // The bytes of the file and the picture.
    io::require_memory(file, "the picture", 2 * double(fs::file_size(file, error)),
                       io::memory_limit(0));
    return io::decode_pfm(file, io::read_bytes(file));
}

void write_pfm(const fs::path& file, const Image& image) {
    write_output_file(file, io::encode_pfm(file, image));
}

}  // namespace plenosr
