#include "tiles/tile_memory.h"

#include <algorithm>

#include "problem/prior.h"

namespace plenosr {

ProblemShape problem_shape(const Setup& setup, const Tile& tile, NormalForm normal) {
    const TileGeometry& geometry = setup.geometry;
    const ReconstructOptions& o = setup.options;
    const GeometryDesc desc = geometry.outline(tile);
    const Box around = geometry.map_around(tile);
    const PriorWeights weights = prior_weights(o.prior);
    ProblemShape s;
    s.width = tile.box.width;
    s.height = tile.box.height;
    s.channels = setup.channels;
    s.scale = o.scale;
    s.views = geometry.views().size();
    s.low_width = desc.low_width;
    s.low_height = desc.low_height;
    s.disparity_width = around.width;
    s.disparity_height = around.height;
    s.blur_radius = geometry.psf_radius();
    const auto side = std::size_t(2 * geometry.psf_radius() + 1);
    s.psf_values = geometry.psf().uniform() ? 0 : geometry.psf().nodes.size() * side * side;
    s.interpolation = o.interpolation;
    s.form = o.operator_form;
    s.normal = normal;
    s.directions = prior_directions(o.prior, *o.window).size();
    s.adaptive = weights.adaptive || o.data == DataTerm::poisson_gauss;
    s.weight_planes = weights.patch ? s.directions : 1;
    s.splits_data = !is_likelihood(o.data);
    s.varying_noise = o.data == DataTerm::poisson_gauss;
    s.solver = o.solver;
    s.keeps_previous = *o.tolerance > 0 || (is_likelihood(o.data) && !geometry.of_frames());
    s.position_floats = !geometry.of_frames() ? 1 : geometry.only_shifts() ? 0 : 2;
    s.denoises = o.denoiser != Denoiser::none;
    return s;
}

MemoryNeed memory_of_tile(const ProblemShape& s, const Engine& engine) {
    constexpr std::size_t f = sizeof(float);
    const std::size_t n = s.pixels();
    const std::size_t planes = n * std::size_t(s.channels);
    const std::size_t samples = s.samples();
    const std::size_t scale2 = std::size_t(s.scale) * std::size_t(s.scale);
    const std::size_t around = std::size_t(s.disparity_width) * std::size_t(s.disparity_height);
    const std::size_t views = f * samples * std::size_t(s.channels);
    const std::size_t fine = s.form == OperatorForm::chain ? f * samples * (scale2 + 1) : 0;
    const EngineMemory e = engine.memory_for(s);

    // While the geometry is computed: views, geometry (disparity, visible, inside), map around the
    // tile.
    const std::size_t looks = (2 + s.position_floats) * f * samples;
    const std::size_t geometry = views + looks + fine + f * around;
    // While the pilot is computed: the tile's disparity, the enlarged reference (first with its
    // margin) and the pilot.
    const std::size_t pilot =
        views + looks + fine + f * n + 2 * f * planes +
        std::max(f * s.low_pixels() * scale2 * std::size_t(s.channels), f * planes + f * n);
    // While the tile is surveyed: the pilot's blurred copies.
    const std::size_t survey = views + looks + fine + 2 * f * n + 2 * f * planes + 3 * f * n;
    // While the tile is solved: values, disparity, weights; start, occlusion, result.
    const std::size_t solve =
        views + (1 + s.position_floats) * f * samples + fine + 2 * f * planes + f * n;
    return {std::max({geometry + e.geometry, pilot + e.pilot, survey, solve + e.solve}), e.largest};
}

}  // namespace plenosr
