#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/motion.h"

namespace plenosr::io {

// One line "dx dy" per frame, with a comma or blanks between; # begins a comment. Error(input) that
// names the file and the line.
std::vector<Place> parse_shifts(const std::filesystem::path& file, const std::string& text);
[[noreturn]] void refuse_shifts(const std::filesystem::path& file, const std::string& why);

}  // namespace plenosr::io
