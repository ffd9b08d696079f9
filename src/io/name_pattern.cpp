#include "io/name_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "io/image_file.h"
#include "plenosr/error.h"

namespace plenosr::io {

namespace {

[[noreturn]] void refuse_pattern(const std::string& text, const std::string& reason) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("pattern = {} must be a file name with {{row}} and {{col}}, e.g. "
                            "SAI_{{row}}_{{col}}.png: {}",
                            text, reason));
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The number of characters from `letters` at the beginning.
std::size_t leading(std::string_view text, std::string_view letters) {
    return std::min(text.find_first_not_of(letters), text.size());
}

// The length of the real number at the beginning, 0 if there is none. Exponents are not read.
std::size_t length_of_real(std::string_view text) {
    constexpr std::string_view digits = "0123456789";
    const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    const std::size_t whole = leading(text.substr(sign), digits);
    std::size_t length = sign + whole;
    std::size_t part = 0;
    if (length < text.size() && text[length] == '.') {
        part = leading(text.substr(length + 1), digits);
        if (part > 0) length += 1 + part;
    }
    return whole + part > 0 ? length : 0;
}

}  // namespace

NamePattern::NamePattern(const std::string& text) : text_(text) {
    constexpr std::size_t longest = 255;  // file systems allow no more bytes
    if (text.size() > longest) refuse_pattern(text.substr(0, longest) + "…", "it is too long");
    if (text.find_first_of("/\\") != std::string::npos) refuse_pattern(text, "it names a folder");
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t open = std::min(rest.find('{'), rest.size());
        if (rest.substr(0, open).find('}') != std::string_view::npos)
            refuse_pattern(text, "a brace is not opened");
        if (!parts_.empty() && continues_number(parts_.back().field, rest.substr(0, open)))
            refuse_pattern(text, "a number must not be followed by digits");
        if (open > 0) parts_.push_back({Field::text, std::string(rest.substr(0, open))});
        rest.remove_prefix(open);
        if (rest.empty()) break;
        const std::size_t close = rest.find('}');
        if (close == std::string_view::npos) refuse_pattern(text, "a brace is not closed");
        add_field(text, rest.substr(1, close - 1));
        rest.remove_prefix(close + 1);
    }
    const auto has = [&](Field field) {
        return std::count_if(parts_.begin(), parts_.end(),
                             [&](const Part& part) { return part.field == field; });
    };
    if (has(Field::row) != 1 || has(Field::col) != 1 || has(Field::y) > 1 || has(Field::x) > 1 ||
        has(Field::name) > 1)
        refuse_pattern(text, "{row} and {col} must occur once, other fields at most once");
    // The extension is kept apart from the stem, so that views may be written with another one.
    if (parts_.back().field == Field::text) {
        std::string& last = parts_.back().text;
        const std::size_t dot = last.rfind('.');
        if (dot != std::string::npos && dot + 1 < last.size()) {
            extension_ = last.substr(dot);
            last.resize(dot);
            if (last.empty()) parts_.pop_back();
        }
    }
}

// True if the text could be read as part of the number before it.
bool NamePattern::continues_number(Field field, std::string_view text) {
    if (field == Field::text || field == Field::name) return false;
    const bool real = field == Field::y || field == Field::x;
    if (real && text.starts_with('.')) text.remove_prefix(1);
    return leading(text, "0123456789") > 0;
}

void NamePattern::add_field(const std::string& whole, std::string_view name) {
    Part part;
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
        const std::string_view digits = name.substr(colon + 1);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), part.digits);
        constexpr int most = 9;
        if (error != std::errc() || end != digits.data() + digits.size() || part.digits < 1 ||
            part.digits > most)
            refuse_pattern(whole, "the colon must be followed by a number of digits from 1 to 9");
        name = name.substr(0, colon);
    }
    if (name == "row")
        part.field = Field::row;
    else if (name == "col")
        part.field = Field::col;
    else if (name == "y")
        part.field = Field::y;
    else if (name == "x")
        part.field = Field::x;
    else if (name == "name")
        part.field = Field::name;
    else
        refuse_pattern(whole,
                       fmt::format("there is no field {{{}}}, only row, col, y, x, name", name));
    if (!parts_.empty() && parts_.back().field != Field::text)
        refuse_pattern(whole, "there must be text between two fields");
    parts_.push_back(part);
}

bool NamePattern::match_from(std::size_t index, std::string_view rest, Match& found) const {
    if (index == parts_.size()) return rest.empty();
    const Part& part = parts_[index];
    const char* begin = rest.data();
    switch (part.field) {
        case Field::text:
            return rest.starts_with(part.text) &&
                   match_from(index + 1, rest.substr(part.text.size()), found);
        case Field::row:
        case Field::col: {
            const std::size_t length = leading(rest, "0123456789");
            int& number = part.field == Field::row ? found.row : found.col;
            const auto [end, error] = std::from_chars(begin, begin + length, number);
            if (length == 0 || error != std::errc() || number > largest) return false;
            return match_from(index + 1, rest.substr(length), found);
        }
        case Field::y:
        case Field::x: {
            const std::size_t length = length_of_real(rest);
            if (length == 0) return false;
            const std::size_t plus = rest.starts_with('+') ? 1 : 0;
            double& number = part.field == Field::y ? found.y : found.x;
            const auto [end, error] = std::from_chars(begin + plus, begin + length, number);
            if (error != std::errc() || !std::isfinite(number)) return false;
            return match_from(index + 1, rest.substr(length), found);
        }
        case Field::name:
            if (rest.empty() || !is_letter(rest.front())) return false;
            for (std::size_t length = rest.size(); length > 0; --length) {
                if (!match_from(index + 1, rest.substr(length), found)) continue;
                found.name = std::string(rest.substr(0, length));
                return true;
            }
            return false;
    }
    return false;
}

std::optional<NamePattern::Match> NamePattern::match(const std::string& file_name) const {
    std::string_view stem = file_name;
    if (extension_.empty()) {
        if (!has_picture_extension(file_name)) return {};
        stem = stem.substr(0, stem.rfind('.'));
    } else {
        if (!stem.ends_with(extension_)) return {};
        stem.remove_suffix(extension_.size());
    }
    Match found;
    if (!match_from(0, stem, found)) return {};
    return found;
}

std::string NamePattern::name_of(int row, int col) const {
    std::string name;
    for (const Part& part : parts_) {
        if (part.field == Field::text)
            name += part.text;
        else if (part.field == Field::row || part.field == Field::col)
            name += fmt::format("{:0{}}", part.field == Field::row ? row : col, part.digits);
        else
            throw Error(ErrorKind::output,
                        fmt::format("Names with the pattern {} cannot be written: only {{row}} and "
                                    "{{col}} have values when writing.",
                                    text_));
    }
    return name;
}

}  // namespace plenosr::io
