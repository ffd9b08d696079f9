#include "tiles/tile_work.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "noise/single_view_noise.h"

namespace plenosr {
namespace {

std::size_t bytes_of(const Image& image) {
    return image.values.size() * sizeof(float);
}

std::size_t bytes_of(const PreparedTile& tile) {
    std::size_t bytes = bytes_of(tile.disparity) + bytes_of(tile.enlarged) +
                        bytes_of(tile.pilot.median) + bytes_of(tile.pilot.spread);
    for (const Image& view : tile.views)
        bytes += bytes_of(view);
    for (const ViewGeometry& g : tile.geometry)
        bytes += bytes_of(g.disparity) + bytes_of(g.low_disparity) + bytes_of(g.displacement) +
                 bytes_of(g.visible) + bytes_of(g.inside);
    return bytes;
}

// The crop of a view as the solver sees it: luma, or all channels.
Image solved_values(const Image& view, const ViewCrop& at, const GeometryDesc& desc,
                    const Tile& tile, Colour colour) {
    const Image part =
        crop(view, {(tile.box.x0 + at.x0) / desc.scale, (tile.box.y0 + at.y0) / desc.scale,
                    desc.low_width, desc.low_height});
    return colour == Colour::luma ? luma(part) : part;
}

// The tile's core in the tile's coordinates. At the image's border it has no end: samples may lie
// beyond.
Box owned(const Tiling& tiling, const Tile& tile) {
    constexpr int far = 1 << 28;
    const Box& c = tile.core;
    const int left = c.x0 == 0 ? -far : c.x0 - tile.box.x0;
    const int top = c.y0 == 0 ? -far : c.y0 - tile.box.y0;
    const int right = c.x1() == tiling.width() ? far : c.x1() - tile.box.x0;
    const int bottom = c.y1() == tiling.height() ? far : c.y1() - tile.box.y0;
    return {left, top, right - left, bottom - top};
}

// A sample that leaves the tile, but not the image, belongs to another tile.
void drop_samples_of_others(const Tiling& tiling, const Tile& tile, const ViewGeometry& g,
                            Image& weight) {
    const Box& b = tile.box;
    const bool inner_left = b.x0 > 0;
    const bool inner_top = b.y0 > 0;
    const bool inner_right = b.x1() < tiling.width();
    const bool inner_bottom = b.y1() < tiling.height();
    if (!inner_left && !inner_top && !inner_right && !inner_bottom) return;
    for (int i = 0; i < weight.height; ++i)
        for (int j = 0; j < weight.width; ++j) {
            const Place p = g.place(tiling.options().scale, i, j);
            if ((inner_left && p.x < 0) || (inner_right && p.x > b.width - 1) ||
                (inner_top && p.y < 0) || (inner_bottom && p.y > b.height - 1))
                weight.at(i, j) = 0;
        }
}

MeanWeight mean_weight_of(const Tiling& tiling) {
    const ReconstructOptions& o = tiling.options();
    return MeanWeight(prior_weights(o.prior), prior_directions(o.prior, *o.window));
}

constexpr int visible_bins = 1024;

// What the samples of view k count beside those of the usual view, whose noise is s:
//   (1.5 s / s_k)^2, at most 1
// Texture moves such estimates a little, hence 1.5; and noise below 1 makes no difference.
double weight_of_view(const std::vector<double>& of_views, std::size_t k) {
    if (k >= of_views.size()) return 1;
    std::vector<double> sorted = of_views;
    const auto middle = sorted.begin() + std::ptrdiff_t((sorted.size() - 1) / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double relative = 1.5 * std::max(*middle, 1.0) / std::max(of_views[k], 1.0);
    return std::min(1.0, relative * relative);
}

}  // namespace

PreparedTile prepare_tile(Engine& engine, const Tiling& tiling, const Views& views,
                          const Tile& tile, const Progress& progress) {
    const CountedScope counted(engine.memory());
    PreparedTile result;
    {
        const GeometryDesc desc =
            tiling.motions() != nullptr ? tiling.outline(tile) : tiling.describe(tile);
        const Charge map(bytes_of(desc.disparity));
        for (std::size_t k = 0; k < desc.views.size(); ++k)
            result.views.push_back(solved_values(views.light_field.views[k].image, desc.views[k],
                                                 desc, tile, views.colour));
        result.charge.resize(bytes_of(result));
        if (tiling.motions() == nullptr)
            result.geometry = engine.geometry(desc, progress);
        else
            engine.run(
                [&] { result.geometry = frame_geometry(desc, *tiling.motions(), tile.box); });
        result.charge.resize(bytes_of(result));
    }
    const int scale = tiling.options().scale;
    const ViewCrop& at = result.geometry[views.reference].crop;
    {
        Image enlarged = engine.enlarge_bicubic(result.views[views.reference], scale);
        const Charge with_margin(bytes_of(enlarged));
        const Box box{-at.x0, -at.y0, tile.box.width, tile.box.height};
        const bool all = enlarged.width == box.width && enlarged.height == box.height;
        result.enlarged = all ? std::move(enlarged) : crop(enlarged, box);
    }
    result.disparity = tiling.disparity(tile.box);
    if (tiling.motions() == nullptr)
        result.pilot = engine.median_of_views(result.views, result.geometry, result.disparity,
                                              result.enlarged, scale);
    else
        engine.run([&] {
            result.pilot = median_of_frames(result.views, result.geometry, *tiling.motions(),
                                            tile.box, result.enlarged, scale);
        });
    if (!report(progress, {"geometry", 1, 1, 0})) throw Cancelled();
    result.charge.resize(bytes_of(result));
    return result;
}

std::vector<double> noise_of_views(const Tiling& tiling, const LightField& light_field) {
    if (tiling.motions() != nullptr || tiling.options().visibility != Visibility::soft) return {};
    std::vector<double> result(light_field.views.size());
    const ValueLimits limits = value_limits(light_field);
    tbb::parallel_for(std::size_t(0), result.size(), [&](std::size_t k) {
        result[k] = single_view_noise(light_field.views[k].image, limits).sigma;
    });
    return result;
}

Survey::Survey(const Tiling& tiling, std::size_t views, std::vector<double> noise_of_views,
               std::size_t tiles, const ValueLimits& limits)
    : tiling_(tiling),
      views_(views),
      noise_of_views_(std::move(noise_of_views)),
      noise_(tiling.low_width(), tiling.low_height(), views_, limits),
      parts_(tiles,
             Part{{}, mean_weight_of(tiling), 0, std::vector<double>(visible_bins + 1, 0.0)}) {}

void Survey::add(std::size_t index, const Tile& tile, const PreparedTile& prepared) {
    const int scale = tiling_.options().scale;
    const Box mine = owned(tiling_, tile);
    const Box core{tile.core.x0 - tile.box.x0, tile.core.y0 - tile.box.y0, tile.core.width,
                   tile.core.height};
    Part& part = parts_[index];
    part.texture.add(prepared.pilot.median, core);
    if (prior_weights(tiling_.options().prior).adaptive)
        part.weight.add(prepared.pilot.median, prepared.disparity, prepared.pilot.spread, core);
    for (const ViewGeometry& g : prepared.geometry) {
        const Image weight = visibility_weight(g, tiling_.options().visibility, 1.0);
        for (int i = 0; i < weight.height; ++i)
            for (int j = 0; j < weight.width; ++j) {
                if (weight.at(i, j) <= 0.0F) continue;
                const Place p = g.place(scale, i, j);
                if (p.x < mine.x0 || p.x >= mine.x1() || p.y < mine.y0 || p.y >= mine.y1())
                    continue;
                ++part.samples;
                const double place =
                    visible_bins * double(std::clamp(g.visible.at(i, j), 0.0F, 1.0F));
                const auto bin = std::min(std::size_t(place), std::size_t(visible_bins - 1));
                part.by_visible[bin] += g.crop.trust * (double(bin) + 1 - place);
                part.by_visible[bin + 1] += g.crop.trust * (place - double(bin));
            }
    }
    const Image blurred = ResidualNoise::blurred(prepared.pilot.median, tiling_.psf(tile.box));
    const std::scoped_lock lock(mutex_);
    noise_.add(prepared.views, prepared.geometry, blurred, scale, mine, tile.box.x0, tile.box.y0);
}

std::size_t Survey::bytes() const {
    return ResidualNoise::bytes(tiling_.low_width(), tiling_.low_height(), views_);
}

ImageStatistics Survey::result() const {
    ImageStatistics wide;
    wide.noise = noise_.estimate();
    wide.noise.of_views = noise_of_views_;
    const ReconstructOptions& o = tiling_.options();
    if (o.gain) wide.noise.gain = *o.gain;
    if (o.read_noise) wide.noise.read = *o.read_noise;
    Texture texture;
    MeanWeight weight = mean_weight_of(tiling_);
    const bool soft = tiling_.options().visibility == Visibility::soft;
    for (const Part& part : parts_) {
        texture.add(part.texture);
        weight.add(part.weight);
        wide.samples += part.samples;
        for (int i = 0; i <= visible_bins; ++i)
            wide.weight +=
                part.by_visible[std::size_t(i)] *
                (soft ? soft_visibility(double(i) / visible_bins, wide.noise.residual) : 1.0);
    }
    double share = 0;
    for (std::size_t k = 0; k < views_; ++k)
        share += weight_of_view(wide.noise.of_views, k) / double(views_);
    wide.weight *= share;
    wide.texture = texture.value(wide.noise.sensor, views_);
    // Impulses make a median noisier; and what is left of two large numbers is not to be trusted.
    const double added = 1.1 * (1 + 2 * wide.noise.impulses);
    wide.detail = texture.value(added * wide.noise.sensor, views_, 0.35);
    if (prior_weights(tiling_.options().prior).adaptive)
        wide.mean_weight = weight.mean(wide.noise.residual);
    return wide;
}

TileProblem tile_problem(const Tiling& tiling, const Tile& tile, NormalForm normal,
                         const ImageStatistics& wide, const ValueLimits& limits,
                         PreparedTile prepared) {
    const ReconstructOptions& o = tiling.options();
    TileProblem result;
    Problem& p = result.problem;
    p.width = tile.box.width;
    p.height = tile.box.height;
    p.channels = prepared.views.front().channels;
    p.scale = o.scale;
    p.psf = tiling.psf(tile.box);
    p.interpolation = o.interpolation;
    p.form = o.operator_form;
    p.normal = normal;
    p.directions = prior_directions(o.prior, *o.window);
    const PriorWeights weights = prior_weights(o.prior);
    p.weights = {weights.adaptive, weights.floor, weights.gradient, {},
                 wide.mean_weight, weights.patch};
    if (o.data == DataTerm::poisson_gauss && wide.noise.gain > 0) {
        if (!p.weights.adaptive) p.weights.floor = 1;  // e depends on the noise alone
        p.weights.adaptive = true;
        p.weights.noise = {float(wide.noise.of_samples()), float(std::max(0.5, wide.noise.read)),
                           float(wide.noise.gain)};
    }
    if (weights.occlusions)
        p.weights.occlusion =
            occlusion_weight(prepared.disparity, prepared.pilot.spread, wide.noise.residual);
    result.start =
        o.init == Initial::median ? std::move(prepared.pilot.median) : std::move(prepared.enlarged);
    if (tiling.motions() != nullptr && o.init == Initial::median)
        result.start = with_samples(std::move(result.start), prepared.views, prepared.geometry,
                                    o.scale, wide.noise.sensor, limits);
    for (std::size_t k = 0; k < prepared.views.size(); ++k) {
        ViewGeometry& g = prepared.geometry[k];
        Observation observation{g.crop.u,
                                g.crop.v,
                                std::move(prepared.views[k]),
                                {},
                                {},
                                g.crop.x0 + g.crop.dx,
                                g.crop.y0 + g.crop.dy};
        observation.weight = visibility_weight(g, o.visibility, wide.noise.residual);
        const double share = g.crop.trust * weight_of_view(wide.noise.of_views, k);
        if (share < 1)
            for (float& m : observation.weight.values)
                m *= float(share);
        drop_samples_of_others(tiling, tile, g, observation.weight);
        observation.disparity = std::move(g.disparity);
        observation.displacement = std::move(g.displacement);
        g = {};
        p.observations.push_back(std::move(observation));
    }
    std::size_t bytes = bytes_of(result.start) + p.weights.occlusion.size() * sizeof(float);
    for (const Observation& observation : p.observations)
        bytes += bytes_of(observation.values) + bytes_of(observation.disparity) +
                 bytes_of(observation.displacement) + bytes_of(observation.weight);
    result.charge = std::move(prepared.charge);
    result.charge.resize(bytes);
    return result;
}

}  // namespace plenosr
