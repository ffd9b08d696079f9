#include "tiles/survey.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

#include "noise/single_view_noise.h"

namespace plenosr {
namespace {

MeanWeight mean_weight_of(const Setup& setup) {
    const ReconstructOptions& o = setup.options;
    return MeanWeight(prior_weights(o.prior), prior_directions(o.prior, *o.window));
}

constexpr int visible_bins = 1024;

// The rule of weight_of_view(). Chosen by reasoning, not tuned: texture moves estimates of the
// noise of single views by some ten percent, and noise below one grey level makes no difference.
constexpr double tolerated_noise_ratio = 1.5;
constexpr double least_noise = 1;  // grey levels

// Impulses make a median noisier: factor applied to the noise before it is subtracted from the
// pilot's texture, and the least share of the texture that remains. See automatic_lambda.h.
constexpr double pilot_noise_factor = 1.1;
constexpr double pilot_impulse_factor = 2;
constexpr double least_detail_share = 0.35;

}  // namespace

Box owned(const Setup& setup, const Tile& tile) {
    constexpr int far = 1 << 28;
    const Box& c = tile.core;
    const int left = c.x0 == 0 ? -far : c.x0 - tile.box.x0;
    const int top = c.y0 == 0 ? -far : c.y0 - tile.box.y0;
    const int right = c.x1() == setup.geometry.width() ? far : c.x1() - tile.box.x0;
    const int bottom = c.y1() == setup.geometry.height() ? far : c.y1() - tile.box.y0;
    return {left, top, right - left, bottom - top};
}

double weight_of_view(const std::vector<double>& noise, std::size_t k) {
    if (k >= noise.size()) return 1;
    std::vector<double> sorted = noise;
    const auto middle = sorted.begin() + std::ptrdiff_t((sorted.size() - 1) / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double ratio =
        tolerated_noise_ratio * std::max(*middle, least_noise) / std::max(noise[k], least_noise);
    return std::min(1.0, ratio * ratio);
}

bool weights_views_by_noise(const Setup& setup) {
    return !setup.geometry.of_frames() && setup.options.visibility == Visibility::soft;
}

std::vector<double> noise_of_views(const LightFieldView& light_field) {
    std::vector<double> result(light_field.views.size());
    const ValueLimits limits = value_limits(light_field);
    tbb::parallel_for(std::size_t(0), result.size(), [&](std::size_t k) {
        result[k] = single_view_noise(light_field.views[k].image, limits).sigma;
    });
    return result;
}

Survey::Survey(const Setup& setup, std::size_t views, std::vector<double> noise_of_views,
               std::size_t tiles, const ValueLimits& limits, const ImageStatistics* shared)
    : setup_(setup),
      views_(views),
      noise_of_views_(std::move(noise_of_views)),
      shared_(shared),
      noise_(setup.geometry.low_width(), setup.geometry.low_height(), views_, limits),
      parts_(tiles,
             Part{{}, mean_weight_of(setup), 0, std::vector<double>(visible_bins + 1, 0.0)}) {}

void Survey::count_samples(const Tile& tile, const PreparedTile& prepared, Part& part) const {
    const Box mine = owned(setup_, tile);
    for (const ViewGeometry& g : prepared.geometry) {
        const Image weight = visibility_weight(g, setup_.options.visibility, 1.0);
        for (int i = 0; i < weight.height; ++i)
            for (int j = 0; j < weight.width; ++j) {
                if (weight.at(i, j) <= 0.0F) continue;
                const Place p = g.place(setup_.options.scale, i, j);
                if (p.x < mine.x0 || p.x >= mine.x1() || p.y < mine.y0 || p.y >= mine.y1())
                    continue;
                ++part.samples;
                const double place =
                    visible_bins * double(std::clamp(g.visible.at(i, j), 0.0F, 1.0F));
                const auto bin = std::min(std::size_t(place), std::size_t(visible_bins - 1));
                const double trust = g.crop.trust * (g.weighted ? double(g.inside.at(i, j)) : 1.0);
                part.by_visible[bin] += trust * (double(bin) + 1 - place);
                part.by_visible[bin + 1] += trust * (place - double(bin));
            }
    }
}

void Survey::add(std::size_t index, const Tile& tile, const PreparedTile& prepared) {
    Part& part = parts_[index];
    count_samples(tile, prepared, part);
    if (shared_ != nullptr) return;
    const Box core{tile.core.x0 - tile.box.x0, tile.core.y0 - tile.box.y0, tile.core.width,
                   tile.core.height};
    part.texture.add(prepared.pilot.median, core);
    if (prior_weights(setup_.options.prior).adaptive)
        part.weight.add(prepared.pilot.median, prepared.disparity, prepared.pilot.spread, core);
    const Image blurred =
        ResidualNoise::blurred(prepared.pilot.median, setup_.geometry.psf(tile.box));
    const std::scoped_lock lock(mutex_);
    noise_.add(prepared.views, prepared.geometry, blurred, setup_.options.scale,
               owned(setup_, tile), tile.box.x0, tile.box.y0);
}

std::size_t Survey::bytes() const {
    return ResidualNoise::bytes(setup_.geometry.low_width(), setup_.geometry.low_height(), views_);
}

ImageStatistics Survey::measured() const {
    ImageStatistics statistics;
    statistics.noise = noise_.estimate();
    const ReconstructOptions& o = setup_.options;
    if (o.gain) statistics.noise.gain = *o.gain;
    if (o.read_noise) statistics.noise.read = *o.read_noise;
    Texture texture;
    MeanWeight weight = mean_weight_of(setup_);
    for (const Part& part : parts_) {
        texture.add(part.texture);
        weight.add(part.weight);
    }
    const double noise = statistics.noise.sensor;
    statistics.texture = texture.value(noise, views_);
    const double factor =
        pilot_noise_factor * (1 + pilot_impulse_factor * statistics.noise.impulses);
    statistics.detail = texture.value(factor * noise, views_, least_detail_share);
    if (prior_weights(o.prior).adaptive)
        statistics.mean_weight = weight.mean(statistics.noise.residual);
    return statistics;
}

ImageStatistics Survey::result() const {
    ImageStatistics statistics = shared_ != nullptr ? *shared_ : measured();
    statistics.noise.of_views = noise_of_views_;
    statistics.samples = 0;
    statistics.weight = 0;
    const bool soft = setup_.options.visibility == Visibility::soft;
    for (const Part& part : parts_) {
        statistics.samples += part.samples;
        for (int i = 0; i <= visible_bins; ++i)
            statistics.weight +=
                part.by_visible[std::size_t(i)] *
                (soft ? soft_visibility(double(i) / visible_bins, statistics.noise.residual) : 1.0);
    }
    double share = 0;
    for (std::size_t k = 0; k < views_; ++k)
        share += weight_of_view(noise_of_views_, k) / double(views_);
    statistics.weight *= share;
    return statistics;
}

}  // namespace plenosr
