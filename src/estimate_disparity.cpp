#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "disparity/automatic_range.h"
#include "disparity/confidence.h"
#include "disparity/consistency.h"
#include "disparity/depth_edges.h"
#include "disparity/impulse_repair.h"
#include "disparity/match_settings.h"
#include "disparity/smooth.h"
#include "disparity/weighted_median.h"
#include "engine/engine.h"
#include "noise/single_view_noise.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

constexpr float some_confidence = 0.1F;
constexpr double confident_share = 0.01;     // of the pixels, without which the map says nothing
constexpr int small_median = 2;              // radius, pixels
constexpr std::size_t views_of_others = 25;  // nearest ones, that match a view beside the reference

std::unique_ptr<Engine> engine_for(const std::string& device, int threads) {
    ReconstructOptions options;
    options.device = device;
    options.threads = threads;
    return std::move(make_engines(options).front());
}

// One job: what its matchings share.
struct Job {
    const LightField& light_field;
    ViewPosition reference;
    const DisparityOptions& options;
    std::unique_ptr<Engine> engine;
    Progress progress;
    MatchSettings settings;
    std::vector<Image> views;  // luma, impulses repaired, smoothed
    DisparityResult& result;

    // Where the device's memory does not suffice, the CPU matches from then on.
    Match match(const MatchDesc& desc) {
        try {
            return engine->match(desc, progress);
        } catch (const OutOfMemory&) {
            const std::string small = engine->name();
            engine = engine_for("cpu", options.threads);
            if (engine->name() == small) throw;
            result.device = engine->name();
            result.notes.push_back(
                fmt::format("{} has too little memory to match views; the disparity comes from {}",
                            small, result.device));
            return engine->match(desc, progress);
        }
    }
};

std::vector<MatchDesc::Offset> offsets_from(const LightField& light_field, ViewPosition reference) {
    std::vector<MatchDesc::Offset> offsets;
    for (const View& view : light_field.views)
        offsets.push_back({view.position.col - reference.col, view.position.row - reference.row});
    return offsets;
}

std::size_t index_of(const LightField& light_field, ViewPosition position) {
    const View* view = light_field.find(position);
    if (view == nullptr)
        throw Error(ErrorKind::input,
                    fmt::format("the view {} whose disparity is asked for is not among the views",
                                to_string(position)));
    return std::size_t(view - light_field.views.data());
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

// A small median takes single pixels out, a larger one moves edges to where the guide has them.
Image without_outliers(const Image& map, const Image& guide, const MatchSettings& settings) {
    const double edge = double(settings.edge);
    return weighted_median(weighted_median(map, guide, small_median, edge), guide, settings.median,
                           0.5 * edge);
}

// Near edges what halves of the views and a small window found, elsewhere what all views did.
void take_near_edges(const Match& edges, const Image& near, Match& found) {
    for (std::size_t i = 0; i < near.values.size(); ++i)
        if (near.values[i] > 0) {
            found.disparity.values[i] = edges.disparity.values[i];
            found.contrast.values[i] = edges.contrast.values[i];
            found.margin.values[i] = edges.margin.values[i];
        }
}

// matching -> median -> matching that knows where edges hide a side -> median, of the view `centre`
// by the views `chosen`
OwnMap map_of(Job& job, std::size_t centre, const std::vector<std::size_t>& chosen,
              DisparityInterval range, double* seconds) {
    const auto offsets = offsets_from(job.light_field, job.light_field.views[centre].position);
    MatchDesc desc = match_desc(job.settings);
    for (const std::size_t k : chosen) {
        desc.views.push_back(job.views[k]);
        desc.offsets.push_back(offsets[k]);
    }
    desc.guide = job.views[centre];
    desc.labels = job.options.labels;
    desc.first = range.min;
    desc.step = (range.max - range.min) / (desc.labels - 1);
    const Stopwatch clock;
    Match found = job.match(desc);
    Image map = without_outliers(found.disparity, desc.guide, job.settings);
    if (desc.loss == MatchLoss::absolute) {
        desc.half_views = near_depth_edges(map, baseline_of(desc.offsets));
        desc.window = std::max(1, desc.window / 2);
        take_near_edges(job.match(desc), desc.half_views, found);
        map = without_outliers(found.disparity, desc.guide, job.settings);
    }
    if (seconds != nullptr) *seconds = clock.seconds();
    return {std::move(map), match_confidence(found, desc, job.settings.noise)};
}

// impulses -> range -> smoothing -> the reference's map; false: the views tell nothing
bool estimate_reference(Job& job, DisparityResult& result) {
    const std::size_t centre = index_of(job.light_field, job.reference);
    for (const View& view : job.light_field.views) {
        Image y = luma(view.image);
        job.views.push_back(result.impulses > 0 ? without_impulses(y) : std::move(y));
    }
    std::optional<DisparityInterval> range = job.options.range;
    if (!range)
        range =
            automatic_range(job.views, offsets_from(job.light_field, job.reference), centre,
                            result.noise, [&](const MatchDesc& desc) { return job.match(desc); });
    if (!range) return false;
    result.range = *range;
    job.settings = match_settings(result.noise, job.options.scale);
    for (Image& view : job.views)
        view = smoothed(view, job.settings.smoothing);

    std::vector<std::size_t> all(job.views.size());
    std::iota(all.begin(), all.end(), std::size_t(0));
    OwnMap map = map_of(job, centre, all, *range, &result.sweep_seconds);
    result.nanoseconds_per_cost =
        1e9 * result.sweep_seconds /
        (double(all.size()) * double(job.options.labels) * double(map.disparity.pixels()));
    result.disparity = std::move(map.disparity);
    result.confidence = std::move(map.confidence);
    return !says_nothing(result.confidence);
}

// The views nearest to `centre`, itself included; of equally near ones, the first.
std::vector<std::size_t> nearest_views(const LightField& light_field, std::size_t centre) {
    const auto offsets = offsets_from(light_field, light_field.views[centre].position);
    std::vector<std::size_t> order(offsets.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::hypot(offsets[a].u, offsets[a].v) < std::hypot(offsets[b].u, offsets[b].v);
    });
    order.resize(std::min(order.size(), views_of_others));
    return order;
}

ViewEstimate estimate_other(Job& job, std::size_t k, const DisparityResult& reference,
                            double& agreement_after) {
    const ViewPosition position = job.light_field.views[k].position;
    const double u = position.col - job.reference.col;
    const double v = position.row - job.reference.row;
    OwnMap own = map_of(job, k, nearest_views(job.light_field, k), reference.range, nullptr);
    const double before = cross_check(own.disparity, reference.disparity, u, v).agreement;
    const ViewDisparity seen = disparity_of_view(reference.disparity, u, v);
    own = made_consistent(own, seen, confidence_seen_from(reference.confidence, seen, u, v));
    CrossCheck after = cross_check(own.disparity, reference.disparity, u, v);
    agreement_after = after.agreement;
    return {position, std::move(own.disparity), std::move(own.confidence),
            std::move(after.occluded), before};
}

template <class Body>
DisparityResult begin(const LightField& light_field, ViewPosition reference,
                      const DisparityOptions& o, const Progress& progress, const Body& body) {
    o.validate();
    light_field.validate();
    const Image& view = light_field.views[index_of(light_field, reference)].image;
    const Stopwatch clock;
    const SensorNoise noise = single_view_noise(view);
    DisparityResult result;
    Job job{light_field, reference, o, engine_for(o.device, o.threads), progress, {}, {}, result};
    result.noise = noise.sigma;
    result.impulses = noise.impulses;
    result.device = job.engine->name();
    result.disparity = Image(light_field.width(), light_field.height());
    result.confidence = result.disparity;
    if (o.range) result.range = *o.range;
    tbb::task_arena(o.threads > 0 ? o.threads : tbb::task_arena::automatic).execute([&] {
        const bool found = light_field.views.size() > 1 && estimate_reference(job, result);
        if (!found) settle_for_a_plane(result);
        body(job, result, found);
    });
    result.seconds = clock.seconds();
    return result;
}

}  // namespace

double DisparityResult::mean_confidence() const {
    const double sum = std::accumulate(confidence.values.begin(), confidence.values.end(), 0.0);
    return confidence.empty() ? 0.0 : sum / double(confidence.values.size());
}

DisparityResult estimate_disparity(const LightField& light_field, ViewPosition reference,
                                   const DisparityOptions& o, const Progress& progress) {
    return begin(light_field, reference, o, progress, [](const Job&, DisparityResult&, bool) {});
}

DisparityOfViews estimate_disparity_of_views(const LightField& light_field, ViewPosition reference,
                                             const DisparityOptions& o, const Progress& progress) {
    DisparityOfViews all;
    all.reference = begin(
        light_field, reference, o, progress, [&](Job& job, DisparityResult& result, bool found) {
            const std::size_t count = light_field.views.size();
            double before = 0;
            double after = 0;
            job.progress = [&](const ProgressEvent&) {
                return report(progress, {"views", int(all.views.size()), int(count)});
            };
            for (std::size_t k = 0; k < count; ++k) {
                const ViewPosition position = light_field.views[k].position;
                double agreement = 1;
                if (!found || position == reference)
                    all.views.push_back({position, result.disparity, result.confidence,
                                         Image(result.disparity.width, result.disparity.height),
                                         1});
                else
                    all.views.push_back(estimate_other(job, k, result, agreement));
                before += all.views.back().agreement;
                after += agreement;
                if (!job.progress({})) throw Cancelled();
            }
            if (count > 1) {  // the reference agrees with itself
                all.agreement = (before - 1) / double(count - 1);
                all.agreement_after = (after - 1) / double(count - 1);
            }
        });
    return all;
}

}  // namespace plenosr
