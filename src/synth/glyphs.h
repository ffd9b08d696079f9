#pragma once

namespace plenosr::synth {

inline constexpr int glyph_width = 5;  // dots; letters follow each other every 6 dots
inline constexpr int glyph_height = 7;

// Is there ink at dot (dot_x, dot_y) of the letter in `column` of line `row`? The text goes on
// without end in every direction.
bool text_ink(int row, int column, int dot_x, int dot_y);

}  // namespace plenosr::synth
