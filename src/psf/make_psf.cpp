#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "base/file_errors.h"
#include "base/text.h"
#include "io/image_file.h"
#include "io/psf_prefix.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "plenosr/psf.h"

// The PSF that the text of a `--blur` option describes.

namespace plenosr {
namespace {

constexpr const char* allowed_forms =
    "gaussian, gaussian:SIGMA, box:SIGMA, motion:LENGTH,ANGLE, disc:RADIUS, psf:FILE, "
    "psf-grid:FILE or none";

// The size of the smallest centred box that holds all values that are not 0.
struct Extent {
    int across;
    int down;
};
Extent extent(const PsfGrid& grid) {
    Extent most{1, 1};
    for (const Psf& psf : grid.nodes) {
        const Image& k = psf.kernel;
        for (int y = 0; y < k.height; ++y)
            for (int x = 0; x < k.width; ++x)
                if (k.at(y, x) > 0) {
                    most.across = std::max(most.across, 2 * std::abs(x - k.width / 2) + 1);
                    most.down = std::max(most.down, 2 * std::abs(y - k.height / 2) + 1);
                }
    }
    return most;
}

Psf psf_from_file(const std::filesystem::path& file) {
    const Image kernel =
        io::lower_extension(file) == ".pfm" ? read_pfm(file) : luma(read_image(file));
    try {
        return psf_from_kernel(kernel);
    } catch (const Error& error) {
        refuse_file(file, as_reason(error), "PSF");
    }
}

}  // namespace

Psf make_psf(const BlurSpec& blur, int scale) {
    if (scale < 1)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("scale = {} must be at least 1.", scale));
    const std::string_view text = blur.text;
    const std::size_t colon = text.find(':');
    const std::string_view kind = text.substr(0, colon);
    const std::string_view argument =
        colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);

    if (text == "none") return identity_psf();
    if (text == "gaussian") {
        if (scale == 1) return identity_psf();
        return gaussian_psf(std::sqrt(double(scale) * scale - 1) / 4);
    }
    if (kind == "gaussian")
        if (const auto sigma = parse_finite(argument)) return gaussian_psf(*sigma);
    if (kind == "box")
        if (const auto sigma = parse_finite(argument)) return box_psf(scale, *sigma);
    if (kind == "motion") {
        const std::size_t comma = argument.find(',');
        if (comma != std::string_view::npos) {
            const auto length = parse_finite(argument.substr(0, comma));
            const auto angle = parse_finite(argument.substr(comma + 1));
            if (length && angle) return motion_psf(*length, *angle);
        }
    }
    if (kind == "disc")
        if (const auto radius = parse_finite(argument)) return disc_psf(*radius);
    if (kind == "psf" && !argument.empty()) return psf_from_file(std::string(argument));
    throw Error(ErrorKind::invalid_option,
                fmt::format("blur = {} is unknown; it must be {}.", text, allowed_forms));
}

PsfGrid make_psf_grid(const BlurSpec& blur, int scale) {
    if (!blur.text.starts_with(psf_grid_prefix)) return make_psf(blur, scale);
    const std::string file = psf_file(blur);
    if (file.empty())
        throw Error(ErrorKind::invalid_option,
                    "psf-grid must be a file, or none for one PSF everywhere.");
    return read_psf_grid(file, scale);
}

PsfGrid make_psf_grid(const BlurSpec& blur, int scale, int width, int height) {
    const PsfGrid grid = make_psf_grid(blur, scale);
    const bool gaussian = blur.text.starts_with("gaussian") || blur.text.starts_with("box");
    const auto [across, down] = extent(grid);
    if (!gaussian && width > 0 && height > 0 && (across > width || down > height))
        throw Error(ErrorKind::input,
                    fmt::format("blur = {} has a PSF of {}x{} pixels, which is larger than the "
                                "image of {}x{}.",
                                blur.text, across, down, width, height));
    return grid.spread_over(width, height);
}

}  // namespace plenosr
