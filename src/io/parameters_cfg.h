#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace plenosr::io {

inline constexpr const char* parameters_name = "parameters.cfg";

// INI text as Python's configparser writes it: [section], key = value or key: value. Indented lines
// continue a value, # and ; begin comment lines. Keys become "section.key".
using Parameters = std::map<std::string, std::string>;

Parameters parse_parameters(const std::filesystem::path& file, const std::string& text);
Parameters read_parameters(const std::filesystem::path& file);
std::string format_parameters(const std::filesystem::path& file, const Parameters& parameters);

}  // namespace plenosr::io
