#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "disparity/automatic_range.h"
#include "disparity/confidence.h"
#include "disparity/impulse_repair.h"
#include "disparity/match_settings.h"
#include "disparity/smooth.h"
#include "disparity/weighted_median.h"
#include "engine/engine.h"
#include "noise/single_view_noise.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

constexpr float some_confidence = 0.1F;
constexpr double confident_share = 0.01;  // of the pixels, without which the map says nothing
constexpr int median_radius = 2;

struct Views {
    std::vector<Image> luma;  // impulses repaired
    std::vector<MatchDesc::Offset> offsets;
    std::size_t reference = 0;
};

Views views_of(const LightField& light_field, ViewPosition reference, bool repair) {
    Views views;
    for (const View& view : light_field.views) {
        if (view.position == reference) views.reference = views.luma.size();
        const Image y = luma(view.image);
        views.luma.push_back(repair ? without_impulses(y) : y);
        views.offsets.push_back(
            {view.position.col - reference.col, view.position.row - reference.row});
    }
    return views;
}

// The map of views that tell nothing: no parallax, as far as the range allows it.
void settle_for_a_plane(DisparityResult& result) {
    const double d = std::clamp(0.0, result.range.min, result.range.max);
    std::fill(result.disparity.values.begin(), result.disparity.values.end(), float(d));
    std::fill(result.confidence.values.begin(), result.confidence.values.end(), 0.0F);
    result.notes.emplace_back(
        "the views do not tell the disparity: a constant one is taken, with no confidence");
}

bool says_nothing(const Image& confidence) {
    const auto sure = std::count_if(confidence.values.begin(), confidence.values.end(),
                                    [](float c) { return c > some_confidence; });
    return double(sure) < confident_share * double(confidence.values.size());
}

// impulses -> range -> smoothing -> matching -> weighted median
void estimate(const LightField& light_field, ViewPosition reference, const DisparityOptions& o,
              Engine& engine, const Progress& progress, DisparityResult& result) {
    const Matcher match = [&](const MatchDesc& desc) { return *engine.match(desc, progress); };
    Views views = views_of(light_field, reference, result.impulses > 0);
    const auto range =
        o.range ? o.range
                : automatic_range(views.luma, views.offsets, views.reference, result.noise, match);
    if (!range) return settle_for_a_plane(result);
    result.range = *range;

    const MatchSettings settings = match_settings(result.noise, o.scale);
    MatchDesc desc = match_desc(settings);
    desc.offsets = views.offsets;
    for (Image& view : views.luma)
        desc.views.push_back(smoothed(std::exchange(view, Image()), settings.smoothing));
    desc.guide = desc.views[views.reference];
    desc.labels = o.labels;
    desc.first = range->min;
    desc.step = (range->max - range->min) / (o.labels - 1);
    const Stopwatch clock;
    const Match found = match(desc);
    result.sweep_seconds = clock.seconds();
    result.nanoseconds_per_cost =
        1e9 * result.sweep_seconds /
        (double(desc.views.size()) * double(o.labels) * double(desc.guide.pixels()));

    result.confidence = match_confidence(found, settings.noise, desc.views.size());
    result.disparity = weighted_median(found.disparity, desc.guide, result.confidence,
                                       median_radius, double(settings.edge));
    if (says_nothing(result.confidence)) settle_for_a_plane(result);
}

}  // namespace

double DisparityResult::mean_confidence() const {
    return confidence.empty()
               ? 0.0
               : std::accumulate(confidence.values.begin(), confidence.values.end(), 0.0) /
                     double(confidence.values.size());
}

DisparityResult estimate_disparity(const LightField& light_field, ViewPosition reference,
                                   const DisparityOptions& o, const Progress& progress) {
    o.validate();
    light_field.validate();
    const View* view = light_field.find(reference);
    if (view == nullptr)
        throw Error(ErrorKind::input,
                    fmt::format("the view {} whose disparity is asked for is not among the views",
                                to_string(reference)));
    const Stopwatch clock;
    ReconstructOptions where;
    where.device = o.device;
    where.threads = o.threads;
    const auto engines = make_engines(where);
    Engine& engine = *engines.front();

    const SensorNoise noise = single_view_noise(view->image);
    DisparityResult result;
    result.noise = noise.sigma;
    result.impulses = noise.impulses;
    result.device = engine.name();
    result.disparity = Image(light_field.width(), light_field.height());
    result.confidence = result.disparity;
    if (o.range) result.range = *o.range;
    if (light_field.views.size() < 2)
        settle_for_a_plane(result);
    else
        tbb::task_arena(o.threads > 0 ? o.threads : tbb::task_arena::automatic).execute([&] {
            estimate(light_field, reference, o, engine, progress, result);
        });
    result.seconds = clock.seconds();
    return result;
}

}  // namespace plenosr
