#include "plenosr/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "devices/make_engines.h"
#include "frames/blur_of_frames.h"
#include "frames/lambda_trial.h"
#include "noise/fine_grid_noise.h"
#include "plenosr/error.h"
#include "problem/mixture.h"
#include "registration/frame_fit.h"
#include "shared_estimates.h"
#include "solver/solve.h"

namespace plenosr {
namespace {

void require_sampling(const ReconstructOptions& o) {
    if (o.operator_form != OperatorForm::sampling)
        throw Error(ErrorKind::invalid_option, "operator = chain must be sampling for frames");
}

// |r| has a corner at 0, and with about one sample per pixel only a strong prior moves a residual
// away from it: the result follows every sample, noise included, and deblurring amplifies the
// noise. Therefore l1 becomes Huber's loss, r^2 within 1.5 sigma and |r| beyond, which needs an
// initial estimate near the truth. With given weights or a bicubic start the plain l1 is used.
bool uses_huber_for_l1(const ReconstructOptions& o) {
    return o.data == DataTerm::l1 && o.solver == Solver::admm && !o.lambda && !o.lambda1 &&
           o.init != Initial::bicubic;
}
ReconstructOptions suited_to_frames(const ReconstructOptions& given) {
    ReconstructOptions o = given;
    if (uses_huber_for_l1(given)) o.data = DataTerm::huber;
    return o;
}

// (gain + shading) y + offset. Values at a limit do not show the scene's brightness and are kept.
void equalise(Image& frame, const FrameReport& report, const ValueLimits& limits) {
    for (int y = 0; y < frame.height; ++y)
        for (int x = 0; x < frame.width; ++x) {
            const auto gain = float(gain_at(report, over_frame(frame, x, y)));
            for (int c = 0; c < frame.channels; ++c) {
                float& value = frame.at(y, x, c);
                if (!limits.extreme(value)) value = gain * value + float(report.offset);
            }
        }
}

// A clipped sample says that the scene is at least, or at most, as bright as the limit. If its
// frame was brighter than the reference, the limit lies elsewhere for the reference, and the sample
// says too much. Sets the weights of such samples to 0.
void reject_moved_limits(const Image& frame, const FrameReport& report, const ValueLimits& limits,
                         Image& weights) {
    constexpr double noticed = 0.5;  // grey levels
    for (int y = 0; y < frame.height; ++y)
        for (int x = 0; x < frame.width; ++x)
            for (int c = 0; c < frame.channels; ++c) {
                const float value = frame.at(y, x, c);
                if (!limits.extreme(value)) continue;
                const double there =
                    gain_at(report, over_frame(frame, x, y)) * double(value) + report.offset;
                const bool high = double(value) >= limits.high - ValueLimits::slack;
                if (high ? there > double(value) - noticed : there < double(value) + noticed)
                    continue;
                if (weights.empty()) weights = Image(frame.width, frame.height, 1, 1.0F);
                weights.at(y, x) = 0;
            }
}

}  // namespace

namespace {

ReconstructResult solved_frames(std::vector<Image> frames, const std::vector<FrameReport>& reports,
                                const FramesOptions& options, const ReconstructOptions& given,
                                const Progress& progress, const Image* truth) {
    options.validate();
    given.validate();
    require_sampling(given);
    ReconstructOptions solve = suited_to_frames(given);
    if (frames.empty() || frames.size() != reports.size() ||
        std::size_t(options.reference) >= frames.size())
        throw Error(
            ErrorKind::input,
            fmt::format(
                "{} reports were given for {} frames with the reference {}; there must be one "
                "report per frame, and the reference must be one of them.",
                reports.size(), frames.size(), options.reference));
    LightField light_field;
    light_field.clipped = options.clipped;
    std::vector<FrameMotion> motions;
    std::vector<double> trust;
    std::vector<Image> weights;
    std::size_t reference = 0;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        if (int(k) == options.reference) reference = light_field.views.size();
        if (reports[k].weight <= 0 && int(k) != options.reference) continue;
        light_field.views.push_back({{0, double(k)}, std::move(frames[k])});
        motions.push_back(reports[k].motion);
        trust.push_back(reports[k].weight);
        weights.push_back(reports[k].weights);
    }
    // Before the frames are equalised: a gain moves values beyond the limits of the sensor.
    const ValueLimits limits = value_limits(light_field);
    std::vector<const Image*> sample_weights;
    for (std::size_t k = 0; k < light_field.views.size(); ++k) {
        View& view = light_field.views[k];
        const FrameReport& report = reports[std::size_t(view.position.col)];
        if (is_equalised(report, options.photometric)) {
            reject_moved_limits(view.image, report, limits, weights[k]);
            equalise(view.image, report, limits);
        }
        sample_weights.push_back(weights[k].empty() ? nullptr : &weights[k]);
    }
    light_field.grid = {0, 0, 1, int(frames.size())};
    light_field.validate();
    const Stopwatch clock;
    EarlierResults known;
    std::vector<const Image*> images;
    for (const View& view : light_field.views)
        images.push_back(&view.image);
    const std::optional<Estimates> shared = given_estimates(solve, true);
    if (shared) {
        known.statistics = statistics_of(*shared, solve);
        if (is_automatic(solve.blur) && !shared->blur.empty()) solve.blur.text = shared->blur;
    } else if (const auto noise = fine_grid_noise(images, motions, solve.scale, limits)) {
        known.max_noise = *noise;
    }
    const Engines engines = make_engines(solve, progress);
    const TrialFrames trial{light_field, motions, trust, reference, limits};
    std::optional<BlurEstimate> blur;
    if (is_automatic(solve.blur)) {
        blur = estimate_blur_of_frames(engines, trial, sample_weights, solve, known, progress);
        solve.blur = blur->blur;
    }
    const Setup setup = frames_setup(light_field.width(), light_field.height(),
                                     light_field.channels(), motions, trust, solve, sample_weights);
    if (!shared &&
        std::none_of(weights.begin(), weights.end(), [](const Image& w) { return !w.empty(); }))
        known.lambda_factor = lambda_factor_of_frames(engines, trial, solve, known, progress);
    const double before = clock.seconds();
    ReconstructResult result = reconstruct_view(
        engines, setup, {light_field, reference, solve.colour}, solve, progress, truth, known);
    result.seconds.setup += before;
    result.wall_seconds += before;
    result.blur = blur;
    if (blur) result.notes.push_back(blur_note(*blur));
    if (uses_huber_for_l1(given))
        result.notes.emplace_back(
            "l1 is replaced by huber: with about one sample per pixel the plain l1 follows the "
            "noise of every sample; --lambda or --init bicubic use the plain l1");
    return result;
}

}  // namespace

ReconstructResult reconstruct_frames(std::vector<Image> frames,
                                     const std::vector<FrameReport>& reports,
                                     const FramesOptions& options, const ReconstructOptions& given,
                                     const Progress& progress, const Image* truth) {
    return with_image_or_cancelled(
        [&] { return solved_frames(std::move(frames), reports, options, given, progress, truth); });
}

std::vector<TilesReport> plan_frames(int width, int height, int channels,
                                     const std::vector<FrameMotion>& motions,
                                     const ReconstructOptions& given) {
    given.validate();
    require_sampling(given);
    ReconstructOptions solve = suited_to_frames(given);
    if (is_automatic(solve.blur)) solve.blur = BlurSpec();  // the frames are not known
    const std::vector<double> weights(motions.size(), 1.0);
    return plan_view(make_engines(solve),
                     frames_setup(width, height, channels, motions, weights, solve));
}

}  // namespace plenosr
