#pragma once

#include <string>

namespace plenosr::io {

// The text in the description of a PNG map: d = SCALE * v + OFFSET.
struct DisparityNote {
    double scale = 0;
    double offset = 0;
};

// Shortest decimals that are read back as the same numbers.
std::string format_disparity_note(const DisparityNote& note);
// False for any other text.
bool parse_disparity_note(const std::string& text, DisparityNote& note);

}  // namespace plenosr::io
