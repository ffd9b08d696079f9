#pragma once

#include <cstdint>
#include <string>

namespace plenosr {

// "1500", "64K", "512M", "4G" (powers of 1024) as bytes; Error(invalid_option) names `name`.
std::uint64_t parse_bytes(const std::string& name, const std::string& text);
// The shortest such text for a number of bytes.
std::string show_bytes(std::uint64_t bytes);

}  // namespace plenosr
