#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "plenosr/image.h"

namespace plenosr::synth {

// Patterns on a surface. Lengths are in pixels of the centre view, so that the detail is equally
// fine at every picture size. Only +, -, *, / and comparisons are used, which give the same bits on
// every machine. All numbers of the patterns are design choices; none is tuned.

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
    paper,       // lines of text in four sizes; the smallest letters have dots of one pixel
    zone_plate,  // rings that become finer outwards, up to 0.42 cycles per pixel
    star,        // spokes that become finer inwards
    bars,        // groups of vertical, horizontal and slanted bars, periods of 8 to 2.2 pixels
    tartan,      // woven stripes, one-pixel threads
    wood,        // boards with grain
    bricks,
    dots,
    stripes,  // slanted, with a period of 11 pixels along each axis
    map,      // colours by height, with contour lines
    rock,     // noise at all scales, as on stone or bark
    photo,    // a picture
};

struct Material {
    Pattern pattern = Pattern::paper;
    std::uint32_t seed = 0;
    Rgb light{232, 228, 216};
    Rgb dark{34, 36, 44};
    double size = 100;      // radius of zone_plate, pixels; other patterns do not use it
    double s0 = 0, t0 = 0;  // origin of the pattern, pixels
    // The picture of Pattern::photo: one pixel of it is one pixel of the scene. It is repeated by
    // reflection.
    std::shared_ptr<const Image> photo = nullptr;
};

// The colour at (s, t) pixels from the centre of the surface, about 0-255.
Rgb colour_at(const Material& material, double s, double t);

// An even function of period 1 that is close to cos(2 pi t): 1 - 16 t² + 32 t⁴ on [-1/2, 1/2].
inline double wave(double t) {
    const double floor_half = double(std::int64_t(t + 0.5)) - (t + 0.5 < 0 ? 1 : 0);
    const double f = t - floor_half;
    const double f2 = f * f;
    return 1 - 16 * f2 + 32 * f2 * f2;
}

// Noise in [0, 1): smooth interpolation of random values at integer points.
float value_noise(double s, double t, std::uint32_t seed);

}  // namespace plenosr::synth
