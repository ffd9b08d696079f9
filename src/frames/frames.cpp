#include "plenosr/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frames/lambda_trial.h"
#include "noise/fine_grid_noise.h"
#include "pipeline.h"
#include "plenosr/error.h"
#include "problem/mixture.h"
#include "solver/solve.h"

namespace plenosr {
namespace {

void require_sampling(const ReconstructOptions& o) {
    if (o.operator_form != OperatorForm::sampling)
        throw Error(ErrorKind::invalid_option, "operator = chain must be sampling for frames");
}

// |r| has a corner at 0, and with about one sample per pixel nothing but a strong prior would move
// a residual away from it: the result follows every sample, noise included, and amplifies it. So l1
// is rounded where noise alone would move it (huber: r^2 within 1.5 sigma, |r| beyond), which needs
// a start near the truth. Weights and a start that are given are those of the plain l1.
bool smooths_l1(const ReconstructOptions& o) {
    return o.data == DataTerm::l1 && o.solver == Solver::admm && !o.lambda && !o.lambda1 &&
           o.init != Initial::bicubic;
}
ReconstructOptions suited_to_frames(const ReconstructOptions& given) {
    ReconstructOptions o = given;
    if (smooths_l1(given)) o.data = DataTerm::huber;
    return o;
}

// gain y + offset; what is at a limit says nothing about the scene's brightness and stays there.
void equalise(Image& frame, const FrameReport& report, const ValueLimits& limits) {
    for (float& value : frame.values)
        if (!limits.extreme(value)) value = float(report.gain) * value + float(report.offset);
}

}  // namespace

ReconstructResult reconstruct_frames(std::vector<Image> frames,
                                     const std::vector<FrameReport>& reports,
                                     const FramesOptions& options, const ReconstructOptions& given,
                                     const Progress& progress, const Image* truth) {
    options.validate();
    given.validate();
    require_sampling(given);
    const ReconstructOptions solve = suited_to_frames(given);
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
    const Stopwatch clock;
    EarlierResults known;
    std::vector<const Image*> images;
    for (const View& view : light_field.views)
        images.push_back(&view.image);
    if (const auto noise = fine_grid_noise(images, motions, solve.scale)) known.most_noise = *noise;
    const Engines engines = make_engines(solve, progress);
    known.lambda_share = lambda_share_of_frames(engines, light_field, motions, trust, reference,
                                                solve, known, progress);
    const double before = clock.seconds();
    ReconstructResult result = reconstruct_with(
        engines, tiling, {light_field, reference, solve.colour}, solve, progress, truth, known);
    result.seconds.setup += before;
    result.wall_seconds += before;
    if (smooths_l1(given))
        result.notes.emplace_back(
            "l1 is rounded within 1.5 times the noise (huber), as frames have about one sample per "
            "pixel, whose noise it would follow; --lambda or --init bicubic give the plain l1");
    return result;
}

std::vector<TilesReport> plan_frames(int width, int height, int channels,
                                     const std::vector<FrameMotion>& motions,
                                     const ReconstructOptions& given) {
    given.validate();
    require_sampling(given);
    const ReconstructOptions solve = suited_to_frames(given);
    return plan_with(make_engines(solve), Tiling(width, height, solved_channels(solve, channels),
                                                 motions, std::vector<double>(motions.size(), 1.0),
                                                 psf_for(solve, width, height), solve));
}

}  // namespace plenosr
