#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/file_errors.h"
#include "base/output_batch.h"
#include "io/disparity_note.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/npy.h"
#include "io/npy_header.h"
#include "io/pfm.h"
#include "io/png_structure.h"
#include "plenosr/io.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "disparity map";
constexpr double largest_level = 65535;  // of a 16-bit PNG

struct Range {
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();
};

Range finite_range(const Image& map) {
    Range range;
    for (const float value : map.values) {
        if (!std::isfinite(value)) continue;
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    return range;
}

Image read_png_map(const fs::path& file) {
    io::DisparityNote note;
    if (image_info(file).format != PixelFormat::bits16 ||
        !io::parse_disparity_note(io::image_note(file), note))
        refuse_file(file,
                    "a PNG must have 16 bits and the text \"d = SCALE * v + OFFSET\" in its "
                    "description; PFM and NPY files need no such text",
                    kind);
    Image map = read_image(file);
    if (map.channels != 1)
        refuse_file(file, fmt::format("it has {} channels; it must have one", map.channels), kind);
    for (float& value : map.values)
        value = float(note.scale * std::round(double(value) * largest_level / 255.0) + note.offset);
    return map;
}

// RGB from dark blue over teal to yellow; the luma rises from each colour to the next.
constexpr std::array<std::array<double, 3>, 5> colour_ramp = {{
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
    if (io::is_png(first)) return read_png_map(file);
    return read_pfm(file);
}

void write_disparity(const fs::path& file, const Image& map) {
    const auto refuse = [&](const char* reason) { refuse_output(file, reason, kind); };
    if (map.channels != 1 || map.empty()) refuse("it must have one channel and at least one pixel");
    const std::string extension = io::lower_extension(file);
    if (extension == ".pfm") return write_pfm(file, map);
    if (extension == ".npy") return write_output_file(file, io::encode_npy_map(map));
    if (extension != ".png") refuse("its name must end in .pfm, .npy or .png");
    const Range range = finite_range(map);
    const bool all_finite = std::all_of(map.values.begin(), map.values.end(),
                                        [](float value) { return std::isfinite(value); });
    if (!all_finite) refuse("a PNG cannot hold values that are not finite; PFM and NPY can");
    const double scale =
        range.high > range.low ? (double(range.high) - range.low) / largest_level : 1.0;
    Image stored = map;
    for (float& value : stored.values)
        value = float((double(value) - range.low) / scale * 255.0 / largest_level);
    write_output_file(file, io::encode_image(file, stored, PixelFormat::bits16,
                                             io::format_disparity_note({scale, range.low})));
}

Image disparity_preview(const Image& map) {
    const Range range = finite_range(map);
    const double width = std::max(1e-12, double(range.high) - double(range.low));
    Image picture(map.width, map.height, 3);
    for (std::size_t i = 0; i < map.pixels(); ++i) {
        if (!std::isfinite(map.values[i])) continue;
        const double at = (double(map.values[i]) - range.low) / width * (colour_ramp.size() - 1);
        const auto below = std::min(std::size_t(at), colour_ramp.size() - 2);
        const double part = at - double(below);
        for (std::size_t c = 0; c < 3; ++c)
            picture.values[3 * i + c] =
                float((1 - part) * colour_ramp[below][c] + part * colour_ramp[below + 1][c]);
    }
    return picture;
}

}  // namespace plenosr
