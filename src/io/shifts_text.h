#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/motion.h"

namespace plenosr::io {

// Motions of frames as text; # begins a comment, and commas count as blanks. A frame is
// * a line of 2 numbers: a shift dx dy,
// * a line of 6 or 9 numbers: a matrix of two or three rows, row by row,
// * two or three lines of 3 numbers: the same matrix. Two such lines must stand between other lines
//   or empty ones.
// Error(input) names the file and the line.
std::vector<FrameMotion> parse_motions(const std::filesystem::path& file, const std::string& text);
// The motion of 2, 6 or 9 numbers. Error(input) if the matrix cannot be one of a camera: `where`
// says which one it is, e.g. "line 3".
FrameMotion motion_of(const std::filesystem::path& file, const std::vector<double>& numbers,
                      const std::string& where);
inline constexpr const char* shifts_kind = "list of shifts";  // for refuse_file()
inline constexpr double farthest_shift_px = 1e5;  // beyond any frame; a larger value is a mistake

}  // namespace plenosr::io
