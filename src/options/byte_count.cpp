#include "options/byte_count.h"

#include <limits>

#include "options/option_list.h"

namespace plenosr {

std::uint64_t parse_bytes(const std::string& name, const std::string& text) {
    const std::string units = "KMG";
    const std::size_t unit = text.empty() ? std::string::npos : units.find(text.back());
    const int shift = unit == std::string::npos ? 0 : 10 * (int(unit) + 1);
    std::uint64_t value = 0;
    const char* end = text.data() + text.size() - (shift > 0 ? 1 : 0);
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || value == 0 ||
        value > std::numeric_limits<std::uint64_t>::max() >> shift)
        refuse(name, text, "a number of bytes above 0, with or without K, M or G behind it");
    return value << shift;
}

}  // namespace plenosr
