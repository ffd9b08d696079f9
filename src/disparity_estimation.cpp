#include "disparity_estimation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/process_memory.h"
#include "devices/make_engines.h"
#include "disparity/automatic_range.h"
#include "disparity/confidence.h"
#include "disparity/depth_edges.h"
#include "disparity/view_fit.h"
#include "disparity/weighted_median.h"
#include "light_field/image_bytes.h"
#include "light_field/impulse_repair.h"
#include "light_field/smooth.h"
#include "plenosr/error.h"
#include "tiles/limited_tiles.h"

namespace plenosr {
namespace {

// The views show no parallax if fewer than this share of the pixels is at least so confident.
// Chosen by reasoning: chance alone leaves fewer.
constexpr float some_confidence = 0.1F;
constexpr double least_confident_share = 0.01;
constexpr int small_median_px = 2;  // radius: removes up to 12 wrong pixels of 25; not tuned
constexpr int tile_margin_px = 32;  // windows, medians and the reach of semi-global matching

bool has_no_parallax(const Image& confidence) {
    const auto sure = std::count_if(confidence.values.begin(), confidence.values.end(),
                                    [](float c) { return c > some_confidence; });
    return double(sure) < least_confident_share * double(confidence.values.size());
}

// A small median removes single pixels, a larger one moves edges to where the guide has them.
Image without_outliers(const Image& map, const Image& guide, const MatchSettings& settings) {
    const double edge = double(settings.edge);
    return weighted_median(weighted_median(map, guide, small_median_px, edge), guide,
                           settings.median, 0.5 * edge);
}

// Near edges the match by halves of the views with a small window, elsewhere that by all views.
void take_near_edges(const Match& edges, const Image& near, Match& found) {
    for (std::size_t i = 0; i < near.values.size(); ++i)
        if (near.values[i] > 0) {
            found.disparity.values[i] = edges.disparity.values[i];
            found.contrast.values[i] = edges.contrast.values[i];
            found.margin.values[i] = edges.margin.values[i];
        }
}

std::string names_of(const std::vector<ViewPosition>& positions) {
    std::string names;
    constexpr std::size_t named = 4;
    for (std::size_t i = 0; i < std::min(named, positions.size()); ++i)
        names += (i > 0 ? "; " : "") + to_string(positions[i]);
    return names + (positions.size() > named ? "; …" : "");
}

std::string left_out_note(const std::vector<ViewPosition>& left_out, std::size_t views) {
    return fmt::format(
        "{} of {} views do not fit the others and are left out ({}): are they in the right order "
        "(plenosr info)?",
        left_out.size(), views, names_of(left_out));
}

std::string not_judged_note(const std::vector<ViewPosition>& not_judged, std::size_t views) {
    return fmt::format(
        "{} of {} views show too little of what the reference sees to judge whether they fit; they "
        "are used ({})",
        not_judged.size(), views, names_of(not_judged));
}

std::shared_ptr<Engine> matching_engine(const std::string& device, const DisparityOptions& o) {
    ReconstructOptions options;
    options.device = device;
    options.devices = o.devices;
    options.threads = o.threads;
    return make_engines(options).front();
}

bool is_whole(const Box& box, const LightFieldView& light_field) {
    return box == Box{0, 0, light_field.width(), light_field.height()};
}

}  // namespace

DisparityEstimation::DisparityEstimation(const LightFieldView& light_field, ViewPosition reference,
                                         const DisparityOptions& options, Progress report_to,
                                         DisparityResult& result)
    : progress(std::move(report_to)),
      light_field_(light_field),
      reference_(reference),
      options_(options),
      result_(result),
      limits_(value_limits(light_field)),
      engine_(matching_engine(options.device, options)),
      device_(engine_->name()) {
    engine_->report_compiling(progress);
}

Match DisparityEstimation::match(const MatchDesc& desc) {
    try {
        return engine_->match(desc, progress);
    } catch (const OutOfMemory&) {
        const std::string small = engine_->name();
        engine_ = matching_engine("cpu", options_);
        if (engine_->name() == small) throw;
        device_ = result_.device = engine_->name();
        result_.notes.push_back(
            fmt::format("{} has too little memory to match views; the disparity comes from {}",
                        small, result_.device));
        return engine_->match(desc, progress);
    }
}

std::vector<MatchDesc::Offset> offsets_from(const LightFieldView& light_field,
                                            ViewPosition reference) {
    std::vector<MatchDesc::Offset> offsets;
    for (const PlacedView& view : light_field.views)
        offsets.push_back({view.position.col - reference.col, view.position.row - reference.row});
    return offsets;
}

std::size_t index_of(const LightFieldView& light_field, ViewPosition position) {
    const PlacedView* view = light_field.find(position);
    if (view == nullptr)
        throw Error(ErrorKind::input,
                    fmt::format("the view {} whose disparity is asked for is not among the views",
                                to_string(position)));
    return std::size_t(view - light_field.views.data());
}

// Luma without impulses.
Image DisparityEstimation::repaired_view(std::size_t k, const Box& box) const {
    const ImageView& image = light_field_.views[k].image;
    Image y = is_whole(box, light_field_) ? luma(image) : luma(crop(image, box));
    return result_.impulses > 0 ? without_impulses(y, limits_) : y;
}

// A part of view k as it is matched.
Image DisparityEstimation::view(std::size_t k, const Box& box) const {
    if (!whole_views_.empty() && is_whole(box, light_field_)) return whole_views_[k];
    return smoothed(repaired_view(k, box), settings_.smoothing);
}

// Bytes for the map of a part: those of the engine, and the pipeline's images.
std::size_t DisparityEstimation::bytes_of_part(std::size_t views, const Box& box) const {
    const MatchShape shape{box.width, box.height, options_.labels, views};
    // The views and, while one is made, its luma, repaired and smoothed forms; the maps.
    constexpr std::size_t others = 12;
    // A GPU's own memory counts for a given limit, but it is not this process's.
    const bool counts = options_.memory_limit > 0 || engine_->in_process_memory();
    return (counts ? engine_->memory_for(shape) : 0) +
           (views + others) * shape.pixels() * sizeof(float);
}

std::vector<Tile> DisparityEstimation::tiles(std::size_t views, DisparityInterval range) const {
    LimitedJob job;
    job.what = "estimating the disparity";
    job.width = light_field_.width();
    job.height = light_field_.height();
    const double farthest = std::max(std::abs(range.min), std::abs(range.max)) *
                            baseline_of(offsets_from(light_field_, reference_));
    job.margin = int(std::min(std::ceil(farthest), double(std::max(job.width, job.height)))) +
                 tile_margin_px;
    job.bytes = [&](const Box& box) { return bytes_of_part(views, box); };
    return limited_tiles(job, options_.memory_limit,
                         image_bytes(light_field_) + image_bytes(whole_views_));
}

std::vector<MatchDesc::Offset> DisparityEstimation::offsets_of(
    const std::vector<std::size_t>& chosen) const {
    const auto all = offsets_from(light_field_, reference_);
    std::vector<MatchDesc::Offset> offsets;
    offsets.reserve(chosen.size());
    for (const std::size_t k : chosen)
        offsets.push_back(all[k]);
    return offsets;
}

std::optional<DisparityInterval> DisparityEstimation::find_range(
    std::size_t centre, const std::vector<std::size_t>& chosen, double farthest) {
    if (options_.range) return options_.range;
    const auto reference = std::find(chosen.begin(), chosen.end(), centre) - chosen.begin();
    const Box whole{0, 0, light_field_.width(), light_field_.height()};
    return automatic_range([&](std::size_t k) { return repaired_view(chosen[k], whole); },
                           offsets_of(chosen), std::size_t(reference), result_.noise, farthest,
                           [&](const MatchDesc& desc) { return match(desc); });
}

OwnMap DisparityEstimation::map_of_part(const Box& box, std::size_t centre,
                                        const std::vector<std::size_t>& chosen,
                                        DisparityInterval range) {
    const auto offsets = offsets_from(light_field_, light_field_.views[centre].position);
    MatchDesc desc = match_desc(settings_);
    for (const std::size_t k : chosen) {
        desc.views.push_back(view(k, box));
        desc.offsets.push_back(offsets[k]);
    }
    desc.guide = view(centre, box);
    desc.labels = options_.labels;
    desc.first = range.min;
    desc.step = (range.max - range.min) / (desc.labels - 1);
    Match found = match(desc);
    Image map = without_outliers(found.disparity, desc.guide, settings_);
    if (desc.loss == MatchLoss::absolute) {
        desc.half_views = near_depth_edges(map, baseline_of(desc.offsets));
        desc.window = std::max(1, desc.window / 2);
        take_near_edges(match(desc), desc.half_views, found);
        map = without_outliers(found.disparity, desc.guide, settings_);
    }
    return {std::move(map), match_confidence(found, desc, settings_.noise)};
}

OwnMap DisparityEstimation::map_of(std::size_t centre, const std::vector<std::size_t>& chosen,
                                   DisparityInterval range) {
    const std::vector<Tile> parts = tiles(chosen.size(), range);
    if (parts.size() == 1) return map_of_part(parts.front().box, centre, chosen, range);
    OwnMap map{Image(light_field_.width(), light_field_.height()),
               Image(light_field_.width(), light_field_.height())};
    for (const Tile& tile : parts) {
        const OwnMap part = map_of_part(tile.box, centre, chosen, range);
        paste_core(part.disparity, tile, map.disparity);
        paste_core(part.confidence, tile, map.confidence);
    }
    return map;
}

bool DisparityEstimation::estimate_reference() {
    const std::size_t count = light_field_.views.size();
    const std::size_t centre = index_of(light_field_, reference_);
    settings_ = match_settings(result_.noise, options_.scale);
    const Box whole{0, 0, light_field_.width(), light_field_.height()};
    const std::size_t luma_bytes =
        count * light_field_.views.front().image.pixels() * sizeof(float);
    if (options_.memory_limit == 0 &&
        bytes_of_part(count, whole) <= memory_for_work(image_bytes(light_field_) + luma_bytes)) {
        std::vector<Image> views;
        for (std::size_t k = 0; k < count; ++k)
            views.push_back(view(k, whole));
        whole_views_ = std::move(views);
    }
    std::vector<std::size_t> chosen(count);
    std::iota(chosen.begin(), chosen.end(), std::size_t(0));
    auto found = best_attempt(centre, chosen);
    if (!found && chosen.size() < count) chosen = {centre};
    for (std::size_t k = 0; k < count; ++k)
        if (std::find(chosen.begin(), chosen.end(), k) == chosen.end())
            result_.left_out.push_back(light_field_.views[k].position);
    if (!result_.left_out.empty()) result_.notes.push_back(left_out_note(result_.left_out, count));
    if (!found) return false;
    for (const std::size_t k : found->not_judged)
        result_.not_judged.push_back(light_field_.views[k].position);
    if (!result_.not_judged.empty())
        result_.notes.push_back(not_judged_note(result_.not_judged, count));
    result_.range = found->range;
    result_.disparity = std::move(found->map.disparity);
    result_.confidence = std::move(found->map.confidence);
    return !has_no_parallax(result_.confidence);
}

}  // namespace plenosr
