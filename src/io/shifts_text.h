#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/motion.h"

namespace plenosr::io {

// One line "dx dy" per frame, separated by a comma or blanks; # begins a comment. Error(input)
// names the file and the line.
std::vector<Place> parse_shifts(const std::filesystem::path& file, const std::string& text);
inline constexpr const char* shifts_kind = "list of shifts";  // for refuse_file()

}  // namespace plenosr::io
