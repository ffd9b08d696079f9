#include "io/parameters_cfg.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/file_errors.h"
#include "base/text.h"
#include "io/input_file.h"
#include "plenosr/error.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

bool has_control_characters(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
    });
}

class Parser {
public:
    explicit Parser(const fs::path& file) : file_(file) {}

    void line(std::string_view raw) {
        ++number_;
        const std::string_view text = trimmed(raw, blanks);
        if (has_control_characters(text)) refuse("it holds control characters");
        if (text.empty()) {
            key_.clear();
        } else if (text.front() == '#' || text.front() == ';') {
            return;
        } else if (!key_.empty() && blanks.find(raw.front()) != std::string_view::npos) {
            parameters_[key_].append("\n").append(text);
        } else if (text.front() == '[') {
            section(text);
        } else {
            assignment(text);
        }
    }

    Parameters take() { return std::move(parameters_); }

private:
    [[noreturn]] void refuse(const char* reason) const {
        refuse_file(file_, fmt::format("line {}: {}", number_, reason));
    }

    void section(std::string_view text) {
        const std::string_view name = trimmed(text.substr(1, text.size() - 2), blanks);
        if (text.back() != ']' || name.empty()) refuse("a section must be written as [name]");
        prefix_ = std::string(name) + ".";
        key_.clear();
    }

    void assignment(std::string_view text) {
        const auto sign = text.find_first_of("=:");
        const std::string_view name = trimmed(text.substr(0, sign), blanks);
        if (sign == std::string_view::npos || name.empty())
            refuse("it must be [section], key = value or a comment");
        key_ = prefix_ + std::string(name);
        parameters_[key_] = std::string(trimmed(text.substr(sign + 1), blanks));
    }

    const fs::path& file_;
    Parameters parameters_;
    std::string prefix_;
    std::string key_;  // the key whose value an indented line continues
    int number_ = 0;
};

}  // namespace

Parameters parse_parameters(const fs::path& file, const std::string& text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    std::string_view rest = text;
    if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
    Parser parser(file);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        parser.line(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return parser.take();
}

Parameters read_parameters(const fs::path& file) {
    return parse_parameters(file, read_small_text(file));
}

std::string format_parameters(const fs::path& file, const Parameters& parameters) {
    // Keys without a section come first, because they would otherwise belong to a section.
    std::map<std::string, std::string> sections;
    for (const auto& [full_key, full_value] : parameters) {
        const auto dot = full_key.find('.');
        const std::string section = dot == std::string::npos ? "" : full_key.substr(0, dot);
        const std::string key = dot == std::string::npos ? full_key : full_key.substr(dot + 1);
        std::string value = full_value;
        for (std::size_t at = 0; (at = value.find('\n', at)) != std::string::npos; at += 2) {
            value.replace(at, 1, "\n    ");
        }
        sections[section] += fmt::format("{} = {}\n", key, value);
    }
    std::string text;
    for (const auto& [section, lines] : sections) {
        if (!section.empty()) text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
        text += lines;
    }
    bool round_trip_works = false;
    try {
        round_trip_works = parse_parameters(file, text) == parameters;
    } catch (const Error&) {
        round_trip_works = false;
    }
    if (!round_trip_works)
        refuse_output(file, "an INI file cannot hold one of the keys or values of the parameters");
    return text;
}

}  // namespace plenosr::io
