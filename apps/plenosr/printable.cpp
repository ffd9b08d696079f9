#include "printable.h"

#include <fmt/format.h>

#include <cstddef>

namespace plenosr::app {
namespace {

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;  // 0: the text does not begin with a character of UTF-8
};

Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return char32_t(static_cast<unsigned char>(text[i])); };
    const char32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
    char32_t code = lead & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return {};
        code = code << 6U | (byte(i) & 0x3FU);
    }
    const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    if (overlong || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return {};
    return {code, bytes};
}

bool is_control(char32_t code) {
    return code < 0x20 || (code >= 0x7F && code <= 0x9F);
}

// Line separators, and marks that change the direction of the text around them.
bool misleads(char32_t code) {
    return code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(std::string_view text, bool keep_line_ends, bool json) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const Character c = first_character(text);
        if (c.bytes == 0)
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        else if ((c.code == '\n' && keep_line_ends) || !(is_control(c.code) || misleads(c.code)))
            result += text.substr(0, c.bytes);
        else if (c.code == '\n' && !json)
            result += "\\n";
        else if (c.code < 0x80 && !json)
            result += fmt::format("\\x{:02x}", unsigned(c.code));
        else
            result += fmt::format("\\u{:04x}", unsigned(c.code));
        text.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
    }
    return result;
}

}  // namespace

std::string printable(std::string_view text) {
    return escaped(text, false, false);
}

std::string printable_lines(std::string_view text) {
    return escaped(text, true, false);
}

std::string printable_json(std::string_view json) {
    return escaped(json, true, true);
}

}  // namespace plenosr::app
