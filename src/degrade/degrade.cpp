#include "plenosr/degrade.h"
#include "options/option_list.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "degrade/counter_random.h"
#include "degrade/poisson.h"
#include "plenosr/error.h"
#include "psf/blur_decimate.h"

namespace plenosr {
namespace {

// y <- clip(round(N(y)))
void add_noise_and_quantise(Image& y, const CounterRandom& random, const DegradeOptions& o) {
    const double sigma = std::max(o.gaussian, o.read_noise);  // validate(): at most one is set
    tbb::parallel_for(0, y.height, [&](int row) {
        for (int col = 0; col < y.width; ++col)
            for (int c = 0; c < y.channels; ++c) {
                double value = double(y.at(row, col, c));
                if (o.poisson > 0) {
                    const double photons = o.poisson / 255 * std::max(0.0, value);
                    value = 255 / o.poisson * poisson_variable(photons, [&](unsigned n) {
                                return random.uniform_of_poisson(row, col, c, n);
                            });
                }
                if (sigma > 0) value += sigma * random.gaussian(row, col, c);
                y.at(row, col, c) = float(std::clamp(std::round(value), 0.0, 255.0));
            }
    });
}

void add_impulses(Image& y, const CounterRandom& random, double percent) {
    using Draw = CounterRandom::Draw;
    tbb::parallel_for(0, y.height, [&](int row) {
        for (int col = 0; col < y.width; ++col) {
            if (100 * random.uniform(row, col, 0, Draw::impulse) > percent) continue;
            const bool white = random.uniform(row, col, 0, Draw::impulse_value) > 0.5;
            for (int c = 0; c < y.channels; ++c)
                y.at(row, col, c) = white ? 255.0F : 0.0F;
        }
    });
}

Image degrade(const Image& view, ViewPosition position, const DegradeOptions& options,
              const PsfGrid& psf) {
    const Image source = options.colour == Colour::luma ? luma(view) : view;
    const int scale = options.scale;
    // imresize() mirrors the picture at the border of the part that is reduced.
    Image y =
        options.blur.text == "bicubic"
            ? blur_decimate(crop(source, view.width / scale * scale, view.height / scale * scale),
                            psf, scale, Border::symmetric)
            : blur_decimate(source, psf, scale);
    const CounterRandom random(options.seed, position);
    add_noise_and_quantise(y, random, options);
    if (options.impulse > 0) add_impulses(y, random, options.impulse);
    return y;
}

// Spread over the pixels that remain after cropping to a multiple of the scale.
PsfGrid psf_of(const DegradeOptions& o, int width, int height) {
    return make_psf_grid(o.blur, sampling_grid(o.blur, o.phase, o.scale), width / o.scale * o.scale,
                         height / o.scale * o.scale);
}

}  // namespace

void DegradeOptions::validate() const {
    validate_all(*this, degrade_options());
    sampling_grid(blur, phase, scale);
    if (read_noise > 0 && poisson == 0)
        refuse("read-noise", fmt::format("{}", read_noise),
               "0 without poisson; use gaussian for noise of constant standard deviation");
    if (gaussian > 0 && poisson > 0)
        refuse("gaussian", fmt::format("{}", gaussian),
               "0 with poisson; use read-noise for its Gaussian part");
}

Image degrade(const Image& view, ViewPosition position, const DegradeOptions& options) {
    options.validate();
    return degrade(view, position, options, psf_of(options, view.width, view.height));
}

LightField degrade(const LightField& light_field, const DegradeOptions& options,
                   const Progress& progress) {
    options.validate();
    light_field.validate();
    const PsfGrid psf = psf_of(options, light_field.width(), light_field.height());
    const int steps = int(light_field.views.size());
    LightField result;
    result.grid = light_field.grid;
    for (const View& view : light_field.views) {
        const ProgressEvent event{"degrading", int(result.views.size()), steps, 0};
        if (!report(progress, event)) return result;
        result.views.push_back({view.position, degrade(view.image, view.position, options, psf)});
    }
    report(progress, {"degrading", steps, steps, 0});
    return result;
}

}  // namespace plenosr
