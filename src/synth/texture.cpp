#include "synth/texture.h"

#include <array>

#include "kernels/pixel.h"
#include "synth/glyphs.h"

namespace plenosr::synth {
namespace {

struct Cell {
    int index;       // floor(x)
    float fraction;  // x - floor(x)
};
Cell cell(double x) {
    int index = int(x);
    if (index > x) --index;
    return {index, float(x - index)};
}

// A 32-bit hash of an integer point.
std::uint32_t hash(int x, int y, std::uint32_t seed) {
    std::uint32_t h = std::uint32_t(x) * 0x9e3779b1U + std::uint32_t(y) * 0x85ebca77U + seed;
    h = (h ^ (h >> 16U)) * 0x7feb352dU;
    h = (h ^ (h >> 15U)) * 0x846ca68bU;
    return h ^ (h >> 16U);
}

// Uniform on [0, 1).
float uniform(int x, int y, std::uint32_t seed) {
    return float(hash(x, y, seed) >> 8U) * 0x1p-24F;
}

// 0 below 0, 1 above 1, smooth in between.
float smooth_step(float t) {
    t = std::clamp(t, 0.0F, 1.0F);
    return t * t * (3 - 2 * t);
}

// atan2(y, x) / (2 pi) by a polynomial with an error below 2e-6, the same on every machine.
double turns(double x, double y) {
    const double ax = x < 0 ? -x : x;
    const double ay = y < 0 ? -y : y;
    const double longer = std::max(ax, ay);
    if (longer == 0) return 0;
    const double z = std::min(ax, ay) / longer;
    const double z2 = z * z;
    double a =
        z * 0.15915494 *
        (0.9998660 + z2 * (-0.3302995 + z2 * (0.1801410 + z2 * (-0.0851330 + z2 * 0.0208351))));
    if (ay > ax) a = 0.25 - a;
    if (x < 0) a = 0.5 - a;
    return y < 0 ? -a : a;
}

Rgb paper(const Material& m, double s, double t) {
    // The dot size of each line of a block, in pixels. A line is 10 dots high.
    constexpr std::array<double, 10> dots{3, 2, 2, 1.5, 1.5, 1.5, 1, 1, 1, 1};
    constexpr double block_height = 155;
    const float tone = 0.97F + 0.06F * value_noise(s / 40, t / 40, m.seed);
    const Cell block = cell(t / block_height);
    double y = t - block.index * block_height;
    for (std::size_t line = 0; line < dots.size(); ++line) {
        if (y < 10 * dots[line]) {
            const double dot = dots[line];
            const int row = block.index * int(dots.size()) + int(line) + int(m.seed);
            const Cell column = cell(s / (6 * dot));
            const bool ink =
                text_ink(row, column.index, int(column.fraction * 6), int(y / dot) - 1);
            return ink ? m.dark : tone * m.light;
        }
        y -= 10 * dots[line];
    }
    return tone * m.light;
}

Rgb zone_plate(const Material& m, double s, double t) {
    // The phase is k r², so the frequency 2 k r reaches 0.42 cycles per pixel at r = size.
    const double k = 0.42 / (2 * m.size);
    const double r2 = s * s + t * t;
    return mix(m.dark, m.light, float(0.5 + 0.5 * wave(k * r2)));
}

Rgb star(const Material& m, double s, double t) {
    const double r2 = s * s + t * t;
    if (r2 < 9) return m.dark;
    return wave(36 * turns(s, t)) > 0 ? m.light : m.dark;
}

Rgb bars(const Material& m, double s, double t) {
    constexpr std::array<double, 8> periods{8, 6, 5, 4, 3.5, 3, 2.6, 2.2};
    constexpr double size = 30;  // of a group, including its margin of 3 pixels
    const Cell column = cell(s / size);
    const Cell row = cell(t / size);
    const double x = column.fraction * size;
    const double y = row.fraction * size;
    if (std::min(x, y) < 3 || std::max(x, y) > size - 3) return m.light;
    const double period = periods[std::size_t((column.index + 3 * row.index) & 7)];
    const int kind = int((unsigned(column.index) + 2U * unsigned(row.index)) % 3U);
    const double along = kind == 0 ? x : kind == 1 ? y : 0.6 * x + 0.8 * y;
    return cell(along / period).fraction < 0.5F ? m.dark : m.light;
}

// The colour of one thread: stripes of 4 to 19 threads within a sett of 64.
Rgb thread(const Material& m, int index) {
    const int in_sett = index & 63;
    const Rgb accent{float(40 + (m.seed * 53U) % 160U), float(60 + (m.seed * 29U) % 110U),
                     float(50 + (m.seed * 97U) % 150U)};
    if (in_sett < 19) return m.dark;
    if (in_sett < 23) return m.light;
    if (in_sett < 30) return accent;
    if (in_sett < 34) return m.light;
    if (in_sett < 53) return mix(m.dark, accent, 0.7F);
    if (in_sett < 57) return mix(m.light, accent, 0.3F);
    return accent;
}

Rgb tartan(const Material& m, double s, double t) {
    const Cell x = cell(s);
    const Cell y = cell(t);
    const bool warp = ((x.index + y.index) & 3) < 2;  // a 2/2 twill
    const float height = warp ? x.fraction * (1 - x.fraction) : y.fraction * (1 - y.fraction);
    return (0.75F + 1.2F * height) * thread(m, warp ? x.index : y.index);
}

Rgb wood(const Material& m, double s, double t) {
    constexpr double board = 46;
    const Cell row = cell(t / board);
    const double shift = 300.0 * uniform(row.index, 0, m.seed);
    const float wide = value_noise((s + shift) / 70, t / 9, m.seed + 1);
    const float fine = value_noise((s + shift) / 14, t / 1.7, m.seed + 2);
    const double rings = t / 5 + 5.0 * wide;
    const float tone = 0.50F + 0.16F * float(wave(rings)) + 0.5F * (fine - 0.5F) +
                       0.25F * (uniform(row.index, 1, m.seed) - 0.5F);
    const float gap = std::min(row.fraction, 1 - row.fraction) * float(board);
    const float edge = smooth_step(gap - 0.4F);
    return (0.25F + 0.75F * edge) * mix(m.dark, m.light, std::clamp(tone, 0.0F, 1.0F));
}

Rgb bricks(const Material& m, double s, double t) {
    constexpr double width = 34;
    constexpr double height = 15;
    const Cell row = cell(t / height);
    const Cell column = cell(s / width + 0.5 * (row.index & 1));
    const float x = std::min(column.fraction, 1 - column.fraction) * float(width);
    const float y = std::min(row.fraction, 1 - row.fraction) * float(height);
    const float grain = value_noise(s / 1.6, t / 1.6, m.seed + 1);
    const float stain = value_noise(s / 23, t / 17, m.seed + 2);
    if (std::min(x, y) < 1.2F) return (0.72F + 0.3F * grain) * m.light;
    const float tone = uniform(column.index, row.index, m.seed);
    const float value = 0.62F + 0.45F * tone + 0.5F * (grain - 0.5F) + 0.35F * (stain - 0.5F);
    const Rgb warm{m.dark.r * 1.25F, m.dark.g * 0.95F, m.dark.b * 0.8F};
    return value * mix(m.dark, warm, tone);
}

Rgb dots(const Material& m, double s, double t) {
    constexpr double spacing = 9;
    const Cell row = cell(t / spacing);
    const Cell column = cell(s / spacing + 0.5 * (row.index & 1));
    const double x = (double(column.fraction) - 0.5) * spacing;
    const double y = (double(row.fraction) - 0.5) * spacing;
    const double radius = 1.2 + 2.6 * uniform(column.index, row.index, m.seed);
    return x * x + y * y < radius * radius ? m.light : m.dark;
}

Rgb stripes(const Material& m, double s, double t) {
    return cell((s + t) / 11).fraction < 0.55F ? m.light : m.dark;
}

Rgb map(const Material& m, double s, double t) {
    const float height = 0.68F * value_noise(s / 45, t / 45, m.seed) +
                         0.28F * value_noise(s / 19, t / 19, m.seed + 1) +
                         0.04F * value_noise(s / 7, t / 7, m.seed + 2);
    const Cell level = cell(22 * height);
    const float tone = std::clamp(float(level.index) / 22 * 1.6F - 0.3F, 0.0F, 1.0F);
    if (level.fraction < 0.22F) return 0.45F * mix(m.dark, m.light, tone);
    return mix(m.dark, m.light, tone);
}

Rgb rock(const Material& m, double s, double t) {
    // Amplitudes fall by 0.75 while the scale is halved: detail down to two pixels.
    float tone = 0;
    float amplitude = 0.42F;
    double scale = 32;
    for (std::uint32_t octave = 0; octave < 5; ++octave) {
        tone += amplitude * value_noise(s / scale, t / scale, m.seed + octave);
        amplitude *= 0.75F;
        scale /= 2;
    }
    return mix(m.dark, m.light, std::clamp(2.2F * tone - 0.9F, 0.0F, 1.0F));
}

// Bicubic interpolation (Keys, a = -1/2) of a picture that is continued by reflection.
Rgb photo(const Image& image, double s, double t) {
    const auto reflected = [](int i, int size) {
        const int period = 2 * size;
        i = ((i % period) + period) % period;
        return i < size ? i : period - 1 - i;
    };
    const Cell x = cell(s);
    const Cell y = cell(t);
    std::array<float, 4> wx{};
    std::array<float, 4> wy{};
    cubic_weights(x.fraction, wx.data());
    cubic_weights(y.fraction, wy.data());
    std::array<std::size_t, 4> columns{};
    for (int i = 0; i < 4; ++i)
        columns[std::size_t(i)] =
            std::size_t(reflected(x.index - 1 + i, image.width)) * std::size_t(image.channels);
    const std::size_t green = image.channels == 3 ? 1 : 0;
    const std::size_t blue = image.channels == 3 ? 2 : 0;
    Rgb sum;
    for (int j = 0; j < 4; ++j) {
        const float* row = &image.values[image.index(reflected(y.index - 1 + j, image.height), 0)];
        Rgb line;
        for (std::size_t i = 0; i < 4; ++i) {
            const float* pixel = row + columns[i];
            line = line + wx[i] * Rgb{pixel[0], pixel[green], pixel[blue]};
        }
        sum = sum + wy[std::size_t(j)] * line;
    }
    return sum;
}

}  // namespace

float value_noise(double s, double t, std::uint32_t seed) {
    const Cell x = cell(s);
    const Cell y = cell(t);
    const float wx = smooth_step(x.fraction);
    const float wy = smooth_step(y.fraction);
    const float a = uniform(x.index, y.index, seed);
    const float b = uniform(x.index + 1, y.index, seed);
    const float c = uniform(x.index, y.index + 1, seed);
    const float d = uniform(x.index + 1, y.index + 1, seed);
    const float top = a + wx * (b - a);
    const float bottom = c + wx * (d - c);
    return top + wy * (bottom - top);
}

Rgb colour_at(const Material& material, double s, double t) {
    s -= material.s0;
    t -= material.t0;
    switch (material.pattern) {
        case Pattern::paper:
            return paper(material, s, t);
        case Pattern::zone_plate:
            return zone_plate(material, s, t);
        case Pattern::star:
            return star(material, s, t);
        case Pattern::bars:
            return bars(material, s, t);
        case Pattern::tartan:
            return tartan(material, s, t);
        case Pattern::wood:
            return wood(material, s, t);
        case Pattern::bricks:
            return bricks(material, s, t);
        case Pattern::dots:
            return dots(material, s, t);
        case Pattern::stripes:
            return stripes(material, s, t);
        case Pattern::map:
            return map(material, s, t);
        case Pattern::rock:
            return rock(material, s, t);
        case Pattern::photo:
            return photo(*material.photo, s, t);
    }
    return {};
}

}  // namespace plenosr::synth
