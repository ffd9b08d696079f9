#include "io/disparity_note.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

namespace plenosr::io {

std::string format_disparity_note(const DisparityNote& note) {
    return fmt::format("PlenoSR disparity in pixels per step between views: d = {} * v + {}",
                       note.scale, note.offset);
}

bool parse_disparity_note(const std::string& text, DisparityNote& note) {
    const std::size_t formula = text.find("d = ");
    if (formula == std::string::npos) return false;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data() + formula + 4, end, note.scale);
    constexpr std::string_view between = " * v + ";
    if (first.ec != std::errc() ||
        !std::string_view(first.ptr, std::size_t(end - first.ptr)).starts_with(between))
        return false;
    const auto second = std::from_chars(first.ptr + between.size(), end, note.offset);
    return second.ec == std::errc() && std::isfinite(note.scale) && std::isfinite(note.offset);
}

}  // namespace plenosr::io
