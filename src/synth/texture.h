#pragma once

#include <algorithm>
#include <cstdint>

namespace plenosr::synth {

// Patterns that are fixed to a surface. Lengths are in pixels of the centre view, so that detail
// stays fine whatever the size of the picture. Only +, -, *, / and comparisons: the same bits on
// every machine.

struct Rgb {
    float r = 0, g = 0, b = 0;
};
inline Rgb operator+(Rgb a, Rgb b) {
    return {a.r + b.r, a.g + b.g, a.b + b.b};
}
inline Rgb operator*(float s, Rgb a) {
    return {s * a.r, s * a.g, s * a.b};
}
inline Rgb mix(Rgb a, Rgb b, float t) {
    return (1 - t) * a + t * b;
}

enum class Pattern {
    paper,       // lines of text, of four sizes; the smallest letters have dots of one pixel
    zone_plate,  // rings that become finer outwards, up to 0.42 cycles per pixel
    star,        // spokes that become finer inwards
    bars,        // groups of upright, level and slanted bars, periods from 8 down to 2.2 pixels
    tartan,      // woven stripes, one-pixel threads
    wood,        // boards with grain
    bricks,
    dots,
    stripes,  // slanted, 11 pixels wide in all
    map,      // heights in colours, with contour lines
};

struct Material {
    Pattern pattern = Pattern::paper;
    std::uint32_t seed = 0;
    Rgb light{232, 228, 216};
    Rgb dark{34, 36, 44};
    double size = 100;      // pixels: radius of zone_plate and star; the others do not use it
    double s0 = 0, t0 = 0;  // where the pattern begins, pixels
};

// Colour at (s, t) pixels from the centre of the surface, tones within 0-255.
Rgb colour_at(const Material& material, double s, double t);

// Even, of period 1, close to cos(2 pi t): 1 - 16 t² + 32 t⁴ on [-1/2, 1/2].
inline double wave(double t) {
    const double floor_half = double(std::int64_t(t + 0.5)) - (t + 0.5 < 0 ? 1 : 0);
    const double f = t - floor_half;
    const double f2 = f * f;
    return 1 - 16 * f2 + 32 * f2 * f2;
}

// Uniform on [0, 1): smoothly interpolated random values on a lattice of unit cells.
float value_noise(double s, double t, std::uint32_t seed);

}  // namespace plenosr::synth
