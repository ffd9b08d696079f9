#include "tiles/tile_problem.h"

#include <algorithm>
#include <utility>

namespace plenosr {
namespace {

// A sample that leaves the tile, but not the image, belongs to another tile.
void drop_samples_of_others(const Setup& setup, const Tile& tile, const ViewGeometry& g,
                            Image& weight) {
    const Box& b = tile.box;
    const bool inner_left = b.x0 > 0;
    const bool inner_top = b.y0 > 0;
    const bool inner_right = b.x1() < setup.geometry.width();
    const bool inner_bottom = b.y1() < setup.geometry.height();
    if (!inner_left && !inner_top && !inner_right && !inner_bottom) return;
    for (int i = 0; i < weight.height; ++i)
        for (int j = 0; j < weight.width; ++j) {
            const Place p = g.place(setup.options.scale, i, j);
            if ((inner_left && p.x < 0) || (inner_right && p.x > b.width - 1) ||
                (inner_top && p.y < 0) || (inner_bottom && p.y > b.height - 1))
                weight.at(i, j) = 0;
        }
}

}  // namespace

TileProblem tile_problem(const Setup& setup, const Tile& tile, NormalForm normal,
                         const ImageStatistics& statistics, const ValueLimits& limits,
                         PreparedTile prepared) {
    const ReconstructOptions& o = setup.options;
    TileProblem result;
    Problem& p = result.problem;
    p.width = tile.box.width;
    p.height = tile.box.height;
    p.channels = prepared.views.front().channels;
    p.scale = o.scale;
    p.psf = setup.geometry.psf(tile.box);
    p.interpolation = o.interpolation;
    p.form = o.operator_form;
    p.normal = normal;
    p.directions = prior_directions(o.prior, *o.window);
    const PriorWeights weights = prior_weights(o.prior);
    p.weights = {weights.adaptive,       weights.floor, weights.gradient, {},
                 statistics.mean_weight, weights.patch};
    if (o.data == DataTerm::poisson_gauss && statistics.noise.gain > 0) {
        if (!p.weights.adaptive) p.weights.floor = 1;  // e depends on the noise alone
        p.weights.adaptive = true;
        p.weights.noise = {float(statistics.noise.of_samples()),
                           float(std::max(0.5, statistics.noise.read)),
                           float(statistics.noise.gain)};
    }
    if (weights.occlusions)
        p.weights.occlusion =
            occlusion_weight(prepared.disparity, prepared.pilot.spread, statistics.noise.residual);
    result.start =
        o.init == Initial::median ? std::move(prepared.pilot.median) : std::move(prepared.enlarged);
    if (setup.geometry.of_frames() && o.init == Initial::median)
        result.start = with_samples(std::move(result.start), prepared.views, prepared.geometry,
                                    setup.geometry.sampling(), statistics.noise.sensor, limits);
    for (std::size_t k = 0; k < prepared.views.size(); ++k) {
        ViewGeometry& g = prepared.geometry[k];
        Observation observation{g.crop.u,
                                g.crop.v,
                                std::move(prepared.views[k]),
                                {},
                                {},
                                g.crop.x0 + g.crop.dx,
                                g.crop.y0 + g.crop.dy};
        observation.weight = visibility_weight(g, o.visibility, statistics.noise.residual);
        const double share = g.crop.trust * weight_of_view(statistics.noise.of_views, k);
        if (share < 1)
            for (float& m : observation.weight.values)
                m *= float(share);
        drop_samples_of_others(setup, tile, g, observation.weight);
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
