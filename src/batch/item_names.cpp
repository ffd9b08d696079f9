#include "batch/item_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plenosr {
namespace {

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
}

// With U+FFFD instead of bytes that are not UTF-8.
std::string as_utf8(const std::string& text) {
    const std::string quoted =
        nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return nlohmann::json::parse(quoted).get<std::string>();
}

}  // namespace

bool is_item_name(const std::string& text) {
    constexpr std::size_t longest = 200;  // bytes; file systems have 255
    return !text.empty() && text.size() <= longest && text.front() != '.' &&
           text.find('/') == std::string::npos &&
           std::none_of(text.begin(), text.end(), is_control) && as_utf8(text) == text;
}

bool is_extension(const std::string& text) {
    constexpr std::size_t longest = 8;
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return text.size() > 1 && text.size() <= longest && text.front() == '.' &&
           std::all_of(text.begin() + 1, text.end(), is_plain);
}

std::string printable_name(const std::string& text) {
    std::string shown = as_utf8(text);
    std::replace_if(shown.begin(), shown.end(), is_control, '?');
    return shown;
}

std::string new_item_name(const std::filesystem::path& input, std::set<std::string>& taken) {
    const std::filesystem::path last = input.has_filename() ? input : input.parent_path();
    std::string stem =
        std::filesystem::is_directory(last) ? last.filename().string() : last.stem().string();
    stem = printable_name(stem);
    if (!is_item_name(stem)) stem = "item";
    std::string name = stem;
    for (int i = 2; !taken.insert(name).second; ++i)
        name = fmt::format("{}-{}", stem, i);
    return name;
}

}  // namespace plenosr
