#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "base/file_errors.h"
#include "base/text.h"
#include "io/psf_file.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "plenosr/psf.h"

// The PSF that the text of a `--blur` option describes.

namespace plenosr {
namespace {

constexpr const char* allowed_forms =
    "gaussian, gaussian:SIGMA, box:SIGMA, bicubic, motion:LENGTH,ANGLE, disc:RADIUS, psf:FILE, "
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
                if (k.at(y, x) != 0) {
                    most.across = std::max(most.across, 2 * std::abs(x - k.width / 2) + 1);
                    most.down = std::max(most.down, 2 * std::abs(y - k.height / 2) + 1);
                }
    }
    return most;
}

Psf psf_from_file(const std::filesystem::path& file, double phase) {
    const Image kernel = io::read_psf_picture(file);
    try {
        return psf_from_kernel(kernel, phase);
    } catch (const Error& error) {
        refuse_file(file, as_reason(error), "PSF");
    }
}

}  // namespace

SamplingGrid sampling_grid(const BlurSpec& blur, const PhaseSpec& phase, int scale) {
    const double centre = (scale - 1) / 2.0;
    if (phase.text.empty()) return {scale, blur.text == "bicubic" ? centre : 0.0};
    if (phase.text == "corner") return {scale, 0.0};
    if (phase.text == "centre") return {scale, centre};
    const auto number = parse_finite(phase.text);
    if (!number || std::abs(*number) > scale)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("phase = {} must be corner, centre or a number of high-resolution "
                                "pixels between -{} and {}",
                                phase.text, scale, scale));
    return {scale, *number};
}

PhaseSpec phase_spec(const SamplingGrid& sampling) {
    if (sampling.phase == 0) return {"corner"};
    if (sampling.phase == (sampling.scale - 1) / 2.0) return {"centre"};
    return {fmt::format("{}", sampling.phase)};
}

Psf make_psf(const BlurSpec& blur, const SamplingGrid& sampling) {
    const auto [scale, phase] = sampling;
    if (scale < 1)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("scale = {} must be at least 1.", scale));
    const std::string_view text = blur.text;
    const std::size_t colon = text.find(':');
    const std::string_view kind = text.substr(0, colon);
    const std::string_view argument =
        colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);

    const auto moved = [phase = phase](const Psf& psf) {
        return phase == 0 ? psf : psf_from_kernel(psf.kernel, phase);
    };

    if (text == "none") return moved(identity_psf());
    if (text == "gaussian") {
        if (scale == 1) return moved(identity_psf());
        return gaussian_psf(std::sqrt(double(scale) * scale - 1) / 4, phase);
    }
    if (text == "bicubic") return bicubic_psf(scale, phase);
    if (kind == "gaussian")
        if (const auto sigma = parse_finite(argument)) return gaussian_psf(*sigma, phase);
    if (kind == "box")
        if (const auto sigma = parse_finite(argument)) return box_psf(scale, *sigma, phase);
    if (kind == "motion") {
        const std::size_t comma = argument.find(',');
        if (comma != std::string_view::npos) {
            const auto length = parse_finite(argument.substr(0, comma));
            const auto angle = parse_finite(argument.substr(comma + 1));
            if (length && angle) return moved(motion_psf(*length, *angle));
        }
    }
    if (kind == "disc")
        if (const auto radius = parse_finite(argument)) return disc_psf(*radius, phase);
    if (kind == "psf" && !argument.empty()) return psf_from_file(std::string(argument), phase);
    throw Error(ErrorKind::invalid_option,
                fmt::format("blur = {} is unknown; it must be {}.", text, allowed_forms));
}

PsfGrid make_psf_grid(const BlurSpec& blur, const SamplingGrid& sampling) {
    if (!blur.text.starts_with(psf_grid_prefix)) {
        PsfGrid single = make_psf(blur, sampling);
        single.phase = sampling.phase;
        return single;
    }
    const std::string file = psf_file(blur);
    if (file.empty())
        throw Error(ErrorKind::invalid_option,
                    "psf-grid must be a file, or none for one PSF everywhere.");
    return read_psf_grid(file, sampling);
}

PsfGrid make_psf_grid(const BlurSpec& blur, const SamplingGrid& sampling, int width, int height) {
    const PsfGrid grid = make_psf_grid(blur, sampling);
    const bool has_tails =
        blur.text.starts_with("gaussian") || blur.text.starts_with("box") || blur.text == "bicubic";
    const auto [across, down] = extent(grid);
    if (!has_tails && width > 0 && height > 0 && (across > width || down > height))
        throw Error(ErrorKind::input,
                    fmt::format("blur = {} has a PSF of {}x{} pixels, which is larger than the "
                                "image of {}x{}.",
                                blur.text, across, down, width, height));
    return grid.spread_over(width, height);
}

}  // namespace plenosr
