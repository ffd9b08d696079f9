#include "base/byte_count.h"

#include <fmt/format.h>

#include <charconv>

#include "plenosr/error.h"

namespace plenosr {
namespace {

const std::string units = "KMG";
constexpr std::uint64_t most_bytes = std::uint64_t(1) << 60;  // any more would overflow sums

}  // namespace

std::uint64_t parse_bytes(const std::string& name, const std::string& text) {
    const std::size_t unit = text.empty() ? std::string::npos : units.find(text.back());
    const int shift = unit == std::string::npos ? 0 : 10 * (int(unit) + 1);
    std::uint64_t value = 0;
    const char* end = text.data() + text.size() - (shift > 0 ? 1 : 0);
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || value == 0 || value > (most_bytes >> shift))
        throw Error(
            ErrorKind::invalid_option,
            fmt::format("{} = {} must be a number of bytes above 0, such as 800000000, 512M "
                        "or 2G",
                        name, text));
    return value << shift;
}

std::string show_bytes(std::uint64_t bytes) {
    for (int i = int(units.size()); i > 0; --i)
        if (bytes > 0 && bytes % (std::uint64_t(1) << (10 * i)) == 0)
            return fmt::format("{}{}", bytes >> (10 * i), units[std::size_t(i - 1)]);
    return fmt::format("{}", bytes);
}

}  // namespace plenosr
