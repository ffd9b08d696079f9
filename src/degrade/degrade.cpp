#include "plenosr/degrade.h"
#include "options/option_list.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "degrade/blur_decimate.h"
#include "degrade/counter_random.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

// The largest decimation that is told from a slip of the keyboard.

// y <- clip(round(y + n)), n ~ N(0, sigma²)
void add_gaussian_and_quantise(Image& y, const CounterRandom& random, double sigma) {
    tbb::parallel_for(0, y.height, [&](int row) {
        for (int col = 0; col < y.width; ++col)
            for (int c = 0; c < y.channels; ++c) {
                double value = y.at(row, col, c);
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
              const Psf& psf) {
    Image y = blur_decimate(options.colour == Colour::luma ? luma(view) : view, psf, options.scale);
    const CounterRandom random(options.seed, position);
    add_gaussian_and_quantise(y, random, options.gaussian);
    if (options.impulse > 0) add_impulses(y, random, options.impulse);
    return y;
}

}  // namespace

void DegradeOptions::validate() const {
    validate_all(*this, degrade_options());
}

Image degrade(const Image& view, ViewPosition position, const DegradeOptions& options) {
    options.validate();
    return degrade(view, position, options, make_psf(options.blur, options.scale));
}

LightField degrade(const LightField& light_field, const DegradeOptions& options,
                   const Progress& progress) {
    options.validate();
    light_field.validate();
    const Psf psf = make_psf(options.blur, options.scale);
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
