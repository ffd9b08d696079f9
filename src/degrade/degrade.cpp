#include "plenosr/degrade.h"
#include "options/option_list.h"

#include <fmt/core.h>

#include "base/cancelled.h"
#include "degrade/camera.h"
#include "degrade/counter_random.h"
#include "degrade/displace_view.h"
#include "degrade/sensor_noise.h"
#include "plenosr/error.h"
#include "psf/blur_decimate.h"

namespace plenosr {
namespace {

void require_map(const Image& view, const Image& disparity, const ViewDeviation& at) {
    if ((at.du == 0 && at.dv == 0) || (disparity.same_size(view) && disparity.channels == 1))
        return;
    throw Error(ErrorKind::input,
                fmt::format("jitter needs the disparity map of each view, {}x{} pixels and one "
                            "channel; a map of {}x{} and {} was given.",
                            view.width, view.height, disparity.width, disparity.height,
                            disparity.channels));
}

// Blur and decimation. imresize() mirrors the picture at the border of the part that is reduced.
Image reduced(const Image& source, const DegradeOptions& options, const PsfGrid& psf) {
    const int scale = options.scale;
    if (optics(options).text != "bicubic") return blur_decimate(source, psf, scale);
    return blur_decimate(crop(source, source.width / scale * scale, source.height / scale * scale),
                         psf, scale, Border::symmetric);
}

Image degrade(const Image& view, ViewPosition position, const DegradeOptions& options,
              const PsfGrid& psf, const CameraRig& rig, const Image& disparity) {
    if (options.camera.active()) {
        const ViewDeviation at = view_deviation(position, options, rig);
        require_map(view, disparity, at);
        const Image light = recorded_colours(view, options);
        const Image seen = displaced_view(light, disparity, at.du, at.dv);
        return developed(reduced(seen, options, psf), position, options, rig);
    }
    Image y = reduced(options.colour == Colour::luma ? luma(view) : view, options, psf);
    const CounterRandom random(options.seed, position);
    add_noise(y, random, options, true);
    if (options.impulse > 0) add_impulses(y, random, options.impulse);
    return y;
}

// Spread over the pixels that remain after cropping to a multiple of the scale.
PsfGrid psf_of(const DegradeOptions& o, int width, int height) {
    return make_psf_grid(optics(o), sampling_grid(o.blur, o.phase, o.scale),
                         width / o.scale * o.scale, height / o.scale * o.scale);
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
    return degrade(view, position, options, CameraRig{});
}

Image degrade(const Image& view, ViewPosition position, const DegradeOptions& options,
              const CameraRig& rig, const Image& disparity) {
    options.validate();
    return degrade(view, position, options, psf_of(options, view.width, view.height), rig,
                   disparity);
}

LightField degrade(const LightFieldView& light_field, const DegradeOptions& options,
                   const Progress& progress, const std::vector<Image>& disparity) {
    options.validate();
    light_field.validate();
    if (!disparity.empty() && disparity.size() != light_field.views.size())
        throw Error(
            ErrorKind::input,
            fmt::format("{} disparity maps were given for {} views; one for each is needed.",
                        disparity.size(), light_field.views.size()));
    const PsfGrid psf = psf_of(options, light_field.width(), light_field.height());
    const CameraRig rig = rig_of(light_field.grid);
    const std::size_t steps = light_field.views.size();
    LightField result;
    result.grid = light_field.grid;
    for (std::size_t k = 0; k < steps; ++k) {
        const PlacedView& view = light_field.views[k];
        if (!report(progress, {"degrading", int(k), int(steps), 0})) throw Cancelled();
        result.views.push_back(
            {view.position, degrade(to_image(view.image), view.position, options, psf, rig,
                                    disparity.empty() ? Image() : disparity[k])});
    }
    report(progress, {"degrading", int(steps), int(steps), 0});
    return result;
}

}  // namespace plenosr
