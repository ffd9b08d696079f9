#include "plenosr/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "noise/fine_grid_noise.h"
#include "pipeline.h"
#include "plenosr/error.h"
#include "problem/mixture.h"

namespace plenosr {
namespace {

void require_sampling(const ReconstructOptions& o) {
    if (o.operator_form != OperatorForm::sampling)
        throw Error(ErrorKind::invalid_option, "operator = chain must be sampling for frames");
}

// gain y + offset; what is at a limit says nothing about the scene's brightness and stays there.
void equalise(Image& frame, const FrameReport& report, const ValueLimits& limits) {
    for (float& value : frame.values)
        if (!limits.extreme(value)) value = float(report.gain) * value + float(report.offset);
}

}  // namespace

ReconstructResult reconstruct_frames(std::vector<Image> frames,
                                     const std::vector<FrameReport>& reports,
                                     const FramesOptions& options, const ReconstructOptions& solve,
                                     const Progress& progress, const Image* truth) {
    options.validate();
    solve.validate();
    require_sampling(solve);
    if (frames.empty() || frames.size() != reports.size() ||
        std::size_t(options.reference) >= frames.size())
        throw Error(
            ErrorKind::input,
            fmt::format("{} reports were given for {} frames, of which {} is the reference.",
                        reports.size(), frames.size(), options.reference));
    LightField light_field;
    std::vector<FrameMotion> motions;
    std::vector<double> trust;
    std::size_t reference = 0;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        if (int(k) == options.reference) reference = light_field.views.size();
        if (reports[k].weight <= 0 && int(k) != options.reference) continue;
        light_field.views.push_back({{0, double(k)}, std::move(frames[k])});
        motions.push_back(reports[k].motion);
        trust.push_back(reports[k].weight);
    }
    if (options.photometric) {
        const ValueLimits limits = value_limits(light_field);
        for (View& view : light_field.views)
            equalise(view.image, reports[std::size_t(view.position.col)], limits);
    }
    light_field.grid = {0, 0, 1, int(frames.size())};
    light_field.validate();
    const Tiling tiling(light_field.width(), light_field.height(),
                        solved_channels(solve, light_field.channels()), motions, trust,
                        psf_for(solve, light_field.width(), light_field.height()), solve);
    KnownBefore known;
    std::vector<const Image*> images;
    for (const View& view : light_field.views)
        images.push_back(&view.image);
    if (const auto noise = fine_grid_noise(images, motions, solve.scale)) known.most_noise = *noise;
    return reconstruct_with(make_engines(solve), tiling, {light_field, reference, solve.colour},
                            solve, progress, truth, known);
}

std::vector<TilesReport> plan_frames(int width, int height, int channels,
                                     const std::vector<FrameMotion>& motions,
                                     const ReconstructOptions& solve) {
    solve.validate();
    require_sampling(solve);
    return plan_with(make_engines(solve), Tiling(width, height, solved_channels(solve, channels),
                                                 motions, std::vector<double>(motions.size(), 1.0),
                                                 psf_for(solve, width, height), solve));
}

}  // namespace plenosr
