#pragma once

#include "engine/problem_shape.h"
#include "psf/psf_factors.h"
#include "solver/solve.h"

namespace plenosr::test {

// The shape of a problem for planning memory; Tiling::shape() computes it for a tile.
inline ProblemShape shape_of(const Problem& p, const SolveOptions& options, Solver solver) {
    ProblemShape s;
    s.width = p.width;
    s.height = p.height;
    s.channels = p.channels;
    s.scale = p.scale;
    s.views = p.observations.size();
    s.low_width = p.low_width();
    s.low_height = p.low_height();
    s.disparity_width = p.width;
    s.disparity_height = p.height;
    s.blur_radius = psf_radius(p.psf);
    const auto side = std::size_t(2 * s.blur_radius + 1);
    s.psf_values = p.psf.uniform() ? 0 : p.psf.nodes.size() * side * side;
    s.interpolation = p.interpolation;
    s.form = p.form;
    s.normal = p.normal;
    s.directions = p.directions.size();
    s.adaptive = p.weights.adaptive;
    s.weight_planes = p.weights.patch ? p.directions.size() : 1;
    s.solver = solver;
    s.splits_data = !options.objective.mixture;
    s.varying_noise = options.objective.mixture && options.objective.mixture->varies();
    s.keeps_previous = options.tolerance > 0 || options.least_change > 0;
    s.denoises = options.plug_and_play.has_value();
    return s;
}

}  // namespace plenosr::test
