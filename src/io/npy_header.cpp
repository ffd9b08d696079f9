#include "io/npy_header.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "base/file_errors.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

[[noreturn]] void refuse_header(const fs::path& file, const std::string& reason) {
    refuse_file(file, reason, "NPY file");
}

// Reads the Python literals of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4)}.
class Literals {
public:
    Literals(const fs::path& file, std::string_view text) : file_(file), rest_(text) {}

    void expect(char wanted) {
        if (!take(wanted))
            refuse_header(file_, fmt::format("\"{}\" is missing in its header", wanted));
    }
    bool take(char wanted) {
        skip_blanks();
        if (rest_.empty() || rest_.front() != wanted) return false;
        rest_.remove_prefix(1);
        return true;
    }
    std::string_view quoted() {
        skip_blanks();
        const char quote = rest_.empty() ? '\0' : rest_.front();
        if (quote != '\'' && quote != '"')
            refuse_header(file_, "a string in quotes is missing in its header");
        const std::size_t end = rest_.find(quote, 1);
        if (end == std::string_view::npos)
            refuse_header(file_, "a quote in its header is not closed");
        const std::string_view found = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return found;
    }
    bool truth() {
        skip_blanks();
        for (const bool value : {true, false}) {
            const std::string_view name = value ? "True" : "False";
            if (!rest_.starts_with(name)) continue;
            rest_.remove_prefix(name.size());
            return value;
        }
        refuse_header(file_, "fortran_order in its header is neither True nor False");
    }
    Shape shape() {
        constexpr std::size_t most_axes = 32;
        Shape found;
        expect('(');
        while (!take(')')) {
            std::int64_t length = 0;
            skip_blanks();
            const auto [end, error] =
                std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
            if (error != std::errc() || length < 0 || found.size() >= most_axes)
                refuse_header(file_, "the shape in its header is not a list of lengths");
            rest_.remove_prefix(std::size_t(end - rest_.data()));
            found.push_back(length);
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        return found;
    }

private:
    void skip_blanks() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n'))
            rest_.remove_prefix(1);
    }

    const fs::path& file_;
    std::string_view rest_;
};

void read_type(const fs::path& file, std::string_view descr, NpyHeader& header) {
    const char order = descr.empty() ? '\0' : descr.front();
    const std::string_view kind = descr.substr(descr.empty() ? 0 : 1);
    if (kind == "u1")
        header.element = Element::uint8;
    else if (kind == "u2")
        header.element = Element::uint16;
    else if (kind == "f4")
        header.element = Element::float32;
    else if (kind == "f8")
        header.element = Element::float64;
    else
        refuse_header(file, fmt::format("its elements have the type {}; uint8, uint16, float32 "
                                        "and float64 are supported",
                                        descr.substr(0, 32)));
    if (order != '<' && order != '>' && order != '|' && order != '=')
        refuse_header(file, "its byte order is unknown");
    const bool little = std::endian::native == std::endian::little;
    header.swap_bytes = order == (little ? '>' : '<') && size_of(header.element) > 1;
}

}  // namespace

bool is_npy(std::string_view first_bytes) {
    return first_bytes.starts_with(magic);
}

NpyHeader parse_npy_header(const fs::path& file, std::string_view bytes) {
    constexpr std::size_t prefix = 10;  // of version 1: magic, version, two bytes of length
    if (!is_npy(bytes)) refuse_header(file, "it does not begin with the NPY signature");
    if (bytes.size() < prefix + 2) refuse_header(file, "it ends within its header");
    const auto byte = [&](std::size_t at) {
        return std::size_t(static_cast<unsigned char>(bytes[at]));
    };
    const std::size_t version = byte(magic.size());
    if (version < 1 || version > 3)
        refuse_header(file, fmt::format("its version {} is unknown", version));
    const std::size_t begin = version == 1 ? prefix : prefix + 2;
    std::size_t length = byte(8) | byte(9) << 8U;
    if (version > 1) length |= byte(10) << 16U | byte(11) << 24U;
    if (length > longest_npy_header - begin || bytes.size() < begin + length)
        refuse_header(file, "it ends within its header");

    NpyHeader header;
    header.size = begin + length;
    Literals text(file, bytes.substr(begin, length));
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    text.expect('{');
    while (!text.take('}')) {
        const std::string_view key = text.quoted();
        text.expect(':');
        if (key == "descr") {
            read_type(file, text.quoted(), header);
            has_type = true;
        } else if (key == "fortran_order") {
            header.fortran_order = text.truth();
            has_order = true;
        } else if (key == "shape") {
            header.shape = text.shape();
            has_shape = true;
        } else {
            refuse_header(file, "its header has an unknown key");
        }
        if (!text.take(',')) {
            text.expect('}');
            break;
        }
    }
    if (!has_type || !has_order || !has_shape)
        refuse_header(file, "descr, fortran_order or shape is missing in its header");
    return header;
}

std::string format_npy_header(const Shape& shape, Element element) {
    const char order = std::endian::native == std::endian::little ? '<' : '>';
    std::string type;
    switch (element) {
        case Element::uint8:
            type = "|u1";
            break;
        case Element::uint16:
            type = fmt::format("{}u2", order);
            break;
        case Element::float32:
            type = fmt::format("{}f4", order);
            break;
        case Element::float64:
            type = fmt::format("{}f8", order);
            break;
    }
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                   type, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    // The NPY format requires that the elements begin at a multiple of 64 bytes.
    constexpr std::size_t prefix = 10;
    text.append(63 - (prefix + text.size()) % 64, ' ');
    text += '\n';
    std::string header(magic);
    header += {'\x01', '\0', char(text.size() & 0xFFU), char(text.size() >> 8U)};
    return header + text;
}

}  // namespace plenosr::io
