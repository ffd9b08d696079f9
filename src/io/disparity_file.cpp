#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/atomic_file.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/npy.h"
#include "io/npy_header.h"
#include "io/pfm.h"
#include "io/png_structure.h"
#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

constexpr double levels = 65535;

struct Span {
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();
};

Span finite_span(const Image& map) {
    Span span;
    for (const float value : map.values) {
        if (!std::isfinite(value)) continue;
        span.low = std::min(span.low, value);
        span.high = std::max(span.high, value);
    }
    return span;
}

// "… d = SCALE * v + OFFSET"; shortest decimals, which come back as the same numbers.
std::string note_of(double scale, double offset) {
    return fmt::format("PlenoSR disparity in pixels per step between views: d = {} * v + {}", scale,
                       offset);
}

bool parse_note(const std::string& note, double& scale, double& offset) {
    const std::size_t formula = note.find("d = ");
    if (formula == std::string::npos) return false;
    const char* end = note.data() + note.size();
    const auto first = std::from_chars(note.data() + formula + 4, end, scale);
    constexpr std::string_view between = " * v + ";
    if (first.ec != std::errc() || !std::string_view(first.ptr, end).starts_with(between))
        return false;
    const auto second = std::from_chars(first.ptr + between.size(), end, offset);
    return second.ec == std::errc() && std::isfinite(scale) && std::isfinite(offset);
}

Image read_levels(const fs::path& file) {
    double scale = 0;
    double offset = 0;
    if (image_info(file).format != PixelFormat::bits16 ||
        !parse_note(io::image_note(file), scale, offset)) {
        throw Error(ErrorKind::input,
                    fmt::format("The picture {} is no disparity map: a PNG must have 16 bit and "
                                "the note \"d = SCALE * v + OFFSET\" in its description; PFM and "
                                "NPY need none.",
                                file.string()));
    }
    Image map = read_image(file);
    if (map.channels != 1)
        throw Error(ErrorKind::input, fmt::format("The disparity map {} has {} channels, but one "
                                                  "is expected.",
                                                  file.string(), map.channels));
    for (float& value : map.values)
        value = float(scale * std::round(double(value) * levels / 255.0) + offset);
    return map;
}

// From dark blue over teal to yellow, brighter all the way.
constexpr std::array<std::array<double, 3>, 5> ramp = {{
    {{20, 20, 80}},
    {{30, 80, 150}},
    {{20, 150, 140}},
    {{130, 205, 80}},
    {{255, 240, 60}},
}};

}  // namespace

Image read_disparity(const fs::path& file) {
    const std::string first = io::read_bytes(file, 64);
    if (io::is_npy(first)) return io::read_npy_map(file);
    if (io::is_png(first)) return read_levels(file);
    return read_pfm(file);
}

void write_disparity(const fs::path& file, const Image& map) {
    const auto refuse = [&](const std::string& why) {
        throw Error(ErrorKind::output,
                    fmt::format("The disparity map {} cannot be written: {}.", file.string(), why));
    };
    if (map.channels != 1 || map.empty()) refuse("it has one channel and at least one pixel");
    const std::string extension = io::lower_extension(file);
    if (extension == ".pfm") return write_pfm(file, map);
    if (extension == ".npy") return write_file_atomically(file, io::encode_npy_map(map));
    if (extension != ".png") refuse("its name must end in .pfm, .npy or .png");
    const Span span = finite_span(map);
    const bool all_finite = std::all_of(map.values.begin(), map.values.end(),
                                        [](float value) { return std::isfinite(value); });
    if (!all_finite) refuse("values that are not finite have no form in a PNG; PFM and NPY do");
    const double scale = span.high > span.low ? (double(span.high) - span.low) / levels : 1.0;
    Image stored = map;
    for (float& value : stored.values)
        value = float((double(value) - span.low) / scale * 255.0 / levels);
    write_file_atomically(
        file, io::encode_image(file, stored, PixelFormat::bits16, note_of(scale, span.low)));
}

Image disparity_preview(const Image& map) {
    const Span span = finite_span(map);
    const double range = std::max(1e-12, double(span.high) - double(span.low));
    Image picture(map.width, map.height, 3);
    for (std::size_t i = 0; i < map.pixels(); ++i) {
        if (!std::isfinite(map.values[i])) continue;
        const double at = (double(map.values[i]) - span.low) / range * (ramp.size() - 1);
        const auto below = std::min(std::size_t(at), ramp.size() - 2);
        const double part = at - double(below);
        for (std::size_t c = 0; c < 3; ++c)
            picture.values[3 * i + c] =
                float((1 - part) * ramp[below][c] + part * ramp[below + 1][c]);
    }
    return picture;
}

}  // namespace plenosr
