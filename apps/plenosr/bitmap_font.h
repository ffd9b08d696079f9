#pragma once

#include <string>

#include "plenosr/image.h"

namespace plenosr::app {

inline constexpr int letter_step = 6;  // dots from one letter to the next
inline constexpr int letter_height = 7;

// Draws a line in capital letters of 5 x 7 dots, each dot `size` pixels wide, from the top left
// (x, y).
// Characters that the font lacks stay empty; dots outside the image are skipped.
void draw_text(Image& image, int x, int y, const std::string& text, int size, float grey);

}  // namespace plenosr::app
