#pragma once

namespace plenosr::synth {

inline constexpr int glyph_width = 5;  // dots; the distance between letters is 6 dots
inline constexpr int glyph_height = 7;

// True if there is ink at dot (dot_x, dot_y) of the letter in `column` of line `row`. The text
// repeats in all directions.
bool text_ink(int row, int column, int dot_x, int dot_y);

}  // namespace plenosr::synth
