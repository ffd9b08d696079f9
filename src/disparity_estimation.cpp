#include "disparity_estimation.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "devices/make_engines.h"
#include "disparity/automatic_range.h"
#include "disparity/confidence.h"
#include "disparity/depth_edges.h"
#include "disparity/view_fit.h"
#include "disparity/weighted_median.h"
#include "light_field/impulse_repair.h"
#include "light_field/smooth.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

constexpr float some_confidence = 0.1F;
constexpr double confident_share = 0.01;  // of the pixels, without which the map says nothing
constexpr int small_median = 2;           // radius, pixels

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

std::string left_out_note(const std::vector<ViewPosition>& left_out, std::size_t views) {
    std::string names;
    constexpr std::size_t some = 4;
    for (std::size_t i = 0; i < std::min(some, left_out.size()); ++i)
        names += (i > 0 ? "; " : "") + to_string(left_out[i]);
    return fmt::format(
        "{} of {} views do not fit the others and are left out ({}{}): are they in the right order "
        "(plenosr info)?",
        left_out.size(), views, names, left_out.size() > some ? "; …" : "");
}

struct Attempt {
    DisparityInterval range;
    OwnMap map;
    std::vector<std::size_t> unexplained;  // of the views that took part
    double least = 1;                      // that is explained of one of them
    double mean = 0;
};

// range -> smoothing -> map of the view `centre` by the views `chosen`, and which of them it does
// not explain; nothing where the views tell nothing
std::optional<Attempt> attempt(DisparityEstimation& job, const std::vector<Image>& repaired,
                               std::size_t centre, const std::vector<std::size_t>& chosen,
                               double largest_shift) {
    const auto offsets = offsets_from(job.light_field, job.reference);
    std::optional<DisparityInterval> range = job.options.range;
    if (!range) {
        std::vector<Image> views;
        std::vector<MatchDesc::Offset> places;
        for (const std::size_t k : chosen) {
            views.push_back(repaired[k]);
            places.push_back(offsets[k]);
        }
        const auto reference = std::find(chosen.begin(), chosen.end(), centre) - chosen.begin();
        range =
            automatic_range(views, places, std::size_t(reference), job.result.noise, largest_shift,
                            [&](const MatchDesc& desc) { return job.match(desc); });
    }
    if (!range) return std::nullopt;
    Attempt found;
    found.range = *range;
    found.map = map_of(job, centre, chosen, *range, &job.result.sweep_seconds);
    job.result.nanoseconds_per_cost =
        1e9 * job.result.sweep_seconds /
        (double(chosen.size()) * double(job.options.labels) * double(found.map.disparity.pixels()));
    for (const std::size_t k : chosen) {
        const double share =
            explained_share(job.views[centre], job.views[k], found.map.disparity, offsets[k].u,
                            offsets[k].v, job.settings.noise, job.settings.smoothing);
        if (share < least_explained_share) found.unexplained.push_back(k);
        found.least = std::min(found.least, share);
        found.mean += share / double(chosen.size());
    }
    return found;
}

// The attempt that explains the views best: with all of them, with larger shifts, and without those
// that it does not explain.
std::optional<Attempt> best_attempt(DisparityEstimation& job, const std::vector<Image>& repaired,
                                    std::size_t centre, std::vector<std::size_t>& chosen) {
    constexpr int rounds = 2;
    std::optional<Attempt> found = attempt(job, repaired, centre, chosen, typical_largest_shift);
    if (!found) return found;
    if (!job.options.range && found->least < well_explained_share) {
        auto wider = attempt(job, repaired, centre, chosen, extreme_largest_shift);
        if (wider && wider->mean > found->mean) found = std::move(wider);
    }
    for (int round = 0; round < rounds && found && !found->unexplained.empty(); ++round) {
        std::erase_if(chosen, [&](std::size_t k) {
            return std::find(found->unexplained.begin(), found->unexplained.end(), k) !=
                   found->unexplained.end();
        });
        if (chosen.size() < 2) return std::nullopt;
        found = attempt(job, repaired, centre, chosen, typical_largest_shift);
    }
    if (found && !found->unexplained.empty()) return std::nullopt;
    return found;
}

}  // namespace

std::unique_ptr<Engine> matching_engine(const std::string& device, int threads) {
    ReconstructOptions options;
    options.device = device;
    options.threads = threads;
    return std::move(make_engines(options).front());
}

Match DisparityEstimation::match(const MatchDesc& desc) {
    try {
        return engine->match(desc, progress);
    } catch (const OutOfMemory&) {
        const std::string small = engine->name();
        engine = matching_engine("cpu", options.threads);
        if (engine->name() == small) throw;
        result.device = engine->name();
        result.notes.push_back(
            fmt::format("{} has too little memory to match views; the disparity comes from {}",
                        small, result.device));
        return engine->match(desc, progress);
    }
}

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

OwnMap map_of(DisparityEstimation& job, std::size_t centre, const std::vector<std::size_t>& chosen,
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

bool estimate_reference(DisparityEstimation& job) {
    DisparityResult& result = job.result;
    const std::size_t centre = index_of(job.light_field, job.reference);
    std::vector<Image> repaired;
    const ValueLimits limits = value_limits(job.light_field);
    for (const View& view : job.light_field.views) {
        Image y = luma(view.image);
        repaired.push_back(result.impulses > 0 ? without_impulses(y, limits) : std::move(y));
    }
    job.settings = match_settings(result.noise, job.options.scale);
    for (const Image& view : repaired)
        job.views.push_back(smoothed(view, job.settings.smoothing));
    std::vector<std::size_t> chosen(job.views.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t(0));
    auto found = best_attempt(job, repaired, centre, chosen);
    if (!found && chosen.size() < job.views.size()) chosen = {centre};
    for (std::size_t k = 0; k < job.views.size(); ++k)
        if (std::find(chosen.begin(), chosen.end(), k) == chosen.end())
            result.left_out.push_back(job.light_field.views[k].position);
    if (!result.left_out.empty())
        result.notes.push_back(left_out_note(result.left_out, job.views.size()));
    if (!found) return false;
    result.range = found->range;
    result.disparity = std::move(found->map.disparity);
    result.confidence = std::move(found->map.confidence);
    return !says_nothing(result.confidence);
}

}  // namespace plenosr
