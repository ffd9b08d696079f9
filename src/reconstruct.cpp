#include "plenosr/reconstruct.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "base/cancelled.h"
#include "devices/make_engines.h"
#include "estimate_blur.h"
#include "light_field/image_bytes.h"
#include "problem/model.h"
#include "reconstruct_rounds.h"
#include "refine_in_tiles.h"
#include "shared_estimates.h"

namespace plenosr {
namespace {

// ---- the rule for rounds of refinement ----------------------------------------------------------
// A map of the views' size is interpolated for the result and may then be as wrong as an estimate.
// At x2 a round gains 0.05 to 0.3 dB and takes twice the time; at x4 it gains up to 0.4 dB, and
// five rounds gain up to 0.7 dB over one. Measured on the five HCI scenes, noise 0/0 and 1/1.
constexpr int steps_per_round = 2;              // Gauss-Newton steps
constexpr double max_noise_to_refine = 8;       // grey levels; above it a round gains nothing
constexpr int rounds_of_wide_blur = 5;          // at most
constexpr double converged_map_change = 0.006;  // view pixels per step, mean; then rounds end

bool has_view_size(const Image& disparity, const LightFieldView& light_field) {
    return disparity.width == light_field.width() && disparity.height == light_field.height();
}

bool has_wide_blur(const ReconstructOptions& o, const LightFieldView& light_field) {
    return is_wide(psf_for(o, light_field.width(), light_field.height()));
}

// The work of earlier rounds is part of the result's figures.
void add_work(const ReconstructResult& before, ReconstructResult& result) {
    result.seconds.setup += before.seconds.setup;
    result.seconds.build += before.seconds.build;
    result.seconds.zw_step += before.seconds.zw_step;
    result.seconds.x_step += before.seconds.x_step;
    result.wall_seconds += before.wall_seconds;
    result.memory_peak = std::max(result.memory_peak, before.memory_peak);
    result.device_memory_peak = std::max(result.device_memory_peak, before.device_memory_peak);
    for (const std::string& note : before.notes)
        if (std::find(result.notes.begin(), result.notes.end(), note) == result.notes.end())
            result.notes.push_back(note);
}

double mean_difference(const Image& a, const Image& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        sum += std::abs(double(a.values[i]) - double(b.values[i]));
    return sum / double(a.values.size());
}

bool has_image(const ReconstructResult& result) {
    return result.termination == Termination::converged ||
           result.termination == Termination::max_iterations;
}

// The options with the blur that `auto` finds; `found` then has it.
ReconstructOptions with_blur(const ReconstructOptions& given, const Engines& engines,
                             const LightFieldView& light_field, ViewPosition reference,
                             const Image& disparity, const Progress& progress,
                             const std::optional<Estimates>& shared,
                             std::optional<BlurEstimate>& found) {
    ReconstructOptions o = given;
    if (!is_automatic(given.blur)) return o;
    if (shared && !shared->blur.empty()) {
        o.blur.text = shared->blur;
        return o;
    }
    light_field.validate();
    found = estimate_blur(engines, light_field, reference, disparity, given, progress);
    o.blur = found->blur;
    return o;
}

EarlierResults known_of(const std::optional<BlurEstimate>& blur,
                        const std::optional<Estimates>& shared, const ReconstructOptions& o) {
    EarlierResults known;
    if (blur) known.lambda_factor = lambda_factor_of(*blur, o.scale);
    if (shared) known.statistics = statistics_of(*shared, o);
    return known;
}

// Whether a round follows the first solve, whatever that solve finds.
bool is_sure(const Rounds& rounds, const EarlierResults& earlier) {
    if (rounds.count == 0) return false;
    if (std::isinf(rounds.max_noise)) return true;
    return earlier.statistics &&
           std::min(earlier.statistics->noise.sensor, earlier.max_noise) <= rounds.max_noise;
}

void add_blur(ReconstructResult& result, const std::optional<BlurEstimate>& found) {
    if (!found) return;
    result.blur = found;
    result.notes.push_back(blur_note(*found));
}

}  // namespace

Rounds rounds_for(const ReconstructOptions& o, const LightFieldView& light_field, const Image& map,
                  const MapOrigin& origin) {
    if (o.refine_disparity) return {*o.refine_disparity};
    const bool wide = has_wide_blur(o, light_field);
    // Fine texture looks like noise in single views: then the first result decides.
    if (origin.estimated)
        return {wide ? rounds_of_wide_blur : 1,
                origin.noise <= max_noise_to_refine ? Rounds().max_noise : max_noise_to_refine,
                "was estimated from the views"};
    if (wide && has_view_size(map, light_field))
        return {1, max_noise_to_refine, "has only the resolution of the views"};
    return {};
}

ReconstructResult reconstruct_rounds(const Engines& engines, const LightFieldView& light_field,
                                     ViewPosition reference, const Image& disparity,
                                     const ReconstructOptions& o, const Rounds& rounds,
                                     const Progress& progress, const Image* truth,
                                     const EarlierResults& earlier) {
    // Intermediate results only serve the next fit, which gains nothing from a denoiser.
    ReconstructOptions draft = o;
    draft.denoiser = Denoiser::none;
    draft.denoiser_function = nullptr;
    draft.self_check = false;
    draft.keep_iterations = 0;
    EarlierResults first = earlier;
    if (rounds.count > 0) first.check_above_noise = rounds.max_noise;
    ReconstructResult result =
        reconstruct_view(engines, light_field, reference, disparity,
                         is_sure(rounds, earlier) ? draft : o, progress, truth, first);
    if (rounds.count == 0 || result.sensor_noise > rounds.max_noise) return result;
    const PsfGrid psf = psf_for(o, light_field.width(), light_field.height());
    Image map = disparity_at_full_size(disparity, light_field.width(), light_field.height(),
                                       {o.scale, psf.phase}, "given");
    bool last = false;
    for (int round = 0; !last && has_image(result); ++round) {
        const Stopwatch clock;
        const Image before = map;
        const RefineDesc desc{light_field, reference, psf, o.scale, result.sensor_noise};
        constexpr std::size_t maps = 3;  // this one, the one before, and the refined one
        const std::size_t held = earlier.held_bytes + image_bytes(light_field) +
                                 image_bytes(result.image) + image_bytes(result.initial) +
                                 maps * image_bytes(map);
        tbb::task_arena(o.threads > 0 ? o.threads : tbb::task_arena::automatic).execute([&] {
            for (int step = 0; step < steps_per_round; ++step)
                map = refine_in_tiles(map, result.image, desc, o.memory_limit, held);
        });
        last = round + 1 == rounds.count ||
               (!o.refine_disparity && mean_difference(map, before) < converged_map_change);
        const double seconds = clock.seconds();
        EarlierResults known = earlier;
        known.result = &result.image;
        ReconstructResult again = finished_or_cancelled<ReconstructResult>([&] {
            return reconstruct_view(engines, light_field, reference, map, last ? o : draft,
                                    progress, truth, known);
        });
        if (again.termination == Termination::cancelled && again.iterations.size() < 2) {
            result.termination = Termination::cancelled;
            break;  // with the image of the rounds before
        }
        add_work(result, again);
        again.seconds.setup += seconds;
        again.wall_seconds += seconds;
        again.refinements = round + 1;
        again.initial = std::move(result.initial);
        if (!o.refine_disparity)
            again.explanation.push_back(fmt::format(
                "--refine-disparity {}: the disparity map {}, and the noise of {:.3g} grey levels "
                "is low enough (at most {}) to correct it from the result",
                round + 1, rounds.map, result.sensor_noise, max_noise_to_refine));
        result = std::move(again);
    }
    result.refined_disparity = std::move(map);
    return result;
}

namespace {

ReconstructResult with_map(const LightFieldView& light_field, ViewPosition reference,
                           const Image& disparity, const ReconstructOptions& given,
                           const Progress& progress, const Image* truth) {
    const std::optional<Estimates> shared = given_estimates(given, false);
    const Engines engines = make_engines(given, progress);
    std::optional<BlurEstimate> blur;
    const ReconstructOptions o =
        with_blur(given, engines, light_field, reference, disparity, progress, shared, blur);
    const Rounds rounds = rounds_for(o, light_field, disparity, {});
    ReconstructResult result =
        reconstruct_rounds(engines, light_field, reference, disparity, o, rounds, progress, truth,
                           known_of(blur, shared, o));
    add_blur(result, blur);
    return result;
}

ReconstructResult without_map(const LightFieldView& light_field, ViewPosition reference,
                              const ReconstructOptions& given, const Progress& progress,
                              const Image* truth) {
    const std::optional<Estimates> shared = given_estimates(given, false);
    DisparityResult estimated =
        finished(estimate_disparity(light_field, reference, matching_options(given), progress));
    const LightFieldView views = without(light_field, estimated.left_out);
    const Engines engines = make_engines(given, progress);
    std::optional<BlurEstimate> blur;
    const ReconstructOptions o =
        with_blur(given, engines, views, reference, estimated.disparity, progress, shared, blur);
    const Rounds rounds = rounds_for(o, light_field, estimated.disparity,
                                     {estimated.mean_confidence() > 0, estimated.noise});
    ReconstructResult result =
        reconstruct_rounds(engines, views, reference, estimated.disparity, o, rounds, progress,
                           truth, known_of(blur, shared, o));
    add_blur(result, blur);
    result.seconds.setup += estimated.seconds;
    result.wall_seconds += estimated.seconds;
    result.estimated = std::move(estimated);
    return result;
}

}  // namespace

DisparityOptions matching_options(const ReconstructOptions& o) {
    DisparityOptions matching;
    matching.scale = o.scale;
    matching.device = o.device;
    matching.devices = o.devices;
    matching.threads = o.threads;
    matching.memory_limit = o.memory_limit;
    matching.force = o.force;
    return matching;
}

ReconstructResult reconstruct(const LightFieldView& light_field, ViewPosition reference,
                              const Image& disparity, const ReconstructOptions& options,
                              const Progress& progress, const Image* truth) {
    options.validate();
    return with_image_or_cancelled(
        [&] { return with_map(light_field, reference, disparity, options, progress, truth); });
}

ReconstructResult reconstruct(const LightFieldView& light_field, ViewPosition reference,
                              const ReconstructOptions& options, const Progress& progress,
                              const Image* truth) {
    options.validate();
    return with_image_or_cancelled(
        [&] { return without_map(light_field, reference, options, progress, truth); });
}

}  // namespace plenosr
