#include "synth/glyphs.h"

#include <array>
#include <string_view>

namespace plenosr::synth {
namespace {

constexpr std::string_view text =
    "A LIGHT FIELD HOLDS MANY VIEWS OF ONE SCENE EACH TAKEN A SMALL STEP ASIDE FROM THE NEXT   "
    "WHAT ONE VIEW LOSES BETWEEN ITS PIXELS ANOTHER HAS JUST CAUGHT   "
    "QUIET ZEBRAS JUDGE BOXY KEYS   ";

// A to Z: seven rows from the top, the leftmost dot in bit 4.
constexpr std::array<std::array<unsigned char, 7>, 26> letters{{
    {0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001},  // A
    {0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110},  // B
    {0b01111, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b01111},  // C
    {0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110},  // D
    {0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111},  // E
    {0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000},  // F
    {0b01111, 0b10000, 0b10000, 0b10011, 0b10001, 0b10001, 0b01111},  // G
    {0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001},  // H
    {0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},  // I
    {0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100},  // J
    {0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001},  // K
    {0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111},  // L
    {0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001},  // M
    {0b10001, 0b11001, 0b11001, 0b10101, 0b10011, 0b10011, 0b10001},  // N
    {0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110},  // O
    {0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000},  // P
    {0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101},  // Q
    {0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001},  // R
    {0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110},  // S
    {0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100},  // T
    {0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110},  // U
    {0b10001, 0b10001, 0b10001, 0b01010, 0b01010, 0b01010, 0b00100},  // V
    {0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001},  // W
    {0b10001, 0b01010, 0b01010, 0b00100, 0b01010, 0b01010, 0b10001},  // X
    {0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100},  // Y
    {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111},  // Z
}};

}  // namespace

bool text_ink(int row, int column, int dot_x, int dot_y) {
    // Each line begins 37 letters after the previous one. 37 is coprime to the length of the text,
    // so that lines repeat as late as possible.
    const int length = int(text.size());
    const int index = ((column + 37 * row) % length + length) % length;
    const char letter = text[std::size_t(index)];
    if (letter == ' ' || dot_x < 0 || dot_x >= glyph_width || dot_y < 0 || dot_y >= glyph_height)
        return false;
    const unsigned bits = letters[std::size_t(letter - 'A')][std::size_t(dot_y)];
    return (bits >> unsigned(glyph_width - 1 - dot_x) & 1U) != 0;
}

}  // namespace plenosr::synth
