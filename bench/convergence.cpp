#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "backends/cpu/backend.h"
#include "backends/cpu/initial.h"
#include "benches.h"
#include "noise/residual_noise.h"
#include "plenosr/disparity.h"
#include "plenosr/io.h"
#include "plenosr/metrics.h"
#include "plenosr/synth.h"
#include "problem/geometry.h"
#include "problem/mean_weight.h"
#include "problem/planes.h"
#include "solver/admm.h"
#include "solver/gradient_descent.h"

namespace plenosr::bench {
namespace {

constexpr double all_units = 2000;

struct Scene {
    std::string name;
    LightField light_field;  // 5 x 5 views at full size
    ViewPosition reference;
    Image disparity;
};

Scene load_scene(int size) {
    const char* data = std::getenv("PLENOSR_DATA");
    if (data != nullptr) {
        const auto folder = std::filesystem::path(data) / "hci" / "vinyl";
        if (std::filesystem::exists(folder)) {
            const LightFieldIndex index = index_light_field(folder);
            const ViewPosition centre = index.grid.centre();
            return {"vinyl",
                    read_light_field(index, select_views("5x5", centre, index.positions())), centre,
                    read_pfm(index.disparity)};
        }
    }
    SynthOptions o;
    o.rows = o.cols = 5;
    o.width = o.height = size;
    o.channels = 1;
    SynthResult made = synthesise(o);
    const ViewPosition centre = made.light_field.grid.centre();
    const auto at = std::size_t(made.light_field.find(centre) - made.light_field.views.data());
    return {"the rendered scene `" + o.scene + "`", std::move(made.light_field), centre,
            made.disparity[at]};
}

// The problem that reconstruct() would solve with its default options, and its initial image.
struct Prepared {
    Problem problem;
    std::vector<float> start;
    double lambda = 0;
};

Prepared prepare(const Scene& scene, const DegradeOptions& degradation, int threads) {
    const LightField low = degrade(scene.light_field, degradation);
    const int scale = degradation.scale;
    const Image disparity = disparity_at_full_size(reduce_disparity(scene.disparity, scale),
                                                   low.width(), low.height(), scale, scene.name);
    const Psf psf = make_psf(degradation.blur, scale);
    const auto geometry = view_geometry(
        whole_image(low, scene.reference, disparity, psf, scale, OperatorForm::sampling), {});
    std::vector<Image> views;
    for (const View& view : low.views)
        views.push_back(view.image);
    const cpu::Parallel parallel(threads);
    const Image enlarged = cpu::enlarge_bicubic(low.find(scene.reference)->image, scale, parallel);
    const MedianImage pilot =
        cpu::median_of_views(views, geometry, disparity, enlarged, scale, parallel);
    const Box core{0, 0, disparity.width, disparity.height};
    ResidualNoise residuals(low.width(), low.height(), views.size(), value_limits(low));
    residuals.add(views, geometry, ResidualNoise::blurred(pilot.median, psf), scale, core, 0, 0);
    const double noise = residuals.estimate().residual;

    Prepared result;
    ReconstructOptions once;
    once.scale = scale;
    once.data = DataTerm::l1_l2;
    once.prior = Prior::weighted;
    once.iterations = 1;
    once.cg = 1;
    result.lambda = reconstruct(low, scene.reference, disparity, once).lambda;
    Problem& p = result.problem;
    p.width = low.width() * scale;
    p.height = low.height() * scale;
    p.scale = scale;
    p.psf = psf;
    p.directions = prior_directions(Prior::weighted, 1);
    p.weights.adaptive = true;
    p.weights.occlusion = occlusion_weight(disparity, pilot.spread, noise);
    MeanWeight weight(prior_weights(Prior::weighted));
    weight.add(pilot.median, disparity, pilot.spread, core);
    p.weights.mean = weight.mean(noise);
    for (std::size_t k = 0; k < views.size(); ++k)
        p.observations.push_back({geometry[k].crop.u, geometry[k].crop.v, views[k],
                                  geometry[k].disparity,
                                  visibility_weight(geometry[k], Visibility::soft, noise)});
    result.start = to_planes(enlarged);
    return result;
}

struct Run {
    std::string name;
    std::vector<IterationReport> rows;
};

// Computation units at which the cost first is within `share` of `best` (above it).
std::optional<IterationReport> first_within(const Run& run, double best, double share) {
    for (const IterationReport& row : run.rows)
        if (row.units <= all_units && row.cost <= best * (1 + share)) return row;
    return {};
}

void converge(const Scene& scene, const DegradeOptions& degradation, const Options& o) {
    const Prepared prepared = prepare(scene, degradation, o.threads);
    cpu::Backend backend(prepared.problem, o.threads);
    std::vector<Run> runs;
    SolveOptions fixed;
    fixed.reweights = 0;
    fixed.objective.lambda = prepared.lambda;
    fixed.iterations = int(all_units);
    const auto until_spent = [](IterationReport& row, const auto&) {
        return row.units < all_units;
    };
    const auto solve = [&](const std::string& name, const SolveOptions& options, auto&& solver) {
        fmt::print(stderr, "convergence: {}\n", name);
        auto x = backend.upload(prepared.start);
        runs.push_back({name, solver(options, x).iterations});
    };
    const auto solve_admm = [&](const SolveOptions& options) {
        solve(fmt::format("admm, {} CG steps, data threshold {}", options.cg_steps,
                          options.data_threshold),
              options, [&](const auto& s, auto& x) { return admm(backend, s, x, until_spent); });
    };
    const auto solve_gd = [&](const std::string& name, bool line_search, double first_step) {
        SolveOptions options = fixed;
        options.first_step = first_step;
        solve(name, options, [&](const auto& s, auto& x) {
            return gradient_descent(backend, s, line_search, x, until_spent);
        });
    };
    for (const double threshold : {fixed.data_threshold, 5.0})
        for (const int cg : {2, 3, 5, 10}) {
            SolveOptions options = fixed;
            options.cg_steps = cg;
            options.data_threshold = threshold;
            solve_admm(options);
        }
    for (const double step : {0.25, 0.5, 1.0, 2.0, 4.0, 8.0})
        solve_gd(fmt::format("gd, first step {}", step), false, step);
    solve_gd("gd-ls", true, fixed.first_step);

    double best = runs.front().rows.front().cost;
    for (const Run& run : runs)
        for (const IterationReport& row : run.rows)
            if (row.units <= all_units) best = std::min(best, row.cost);
    fmt::print(
        "\n### {} ×{}, 25 views, σ = {}, ν = {} %\n\nλ = {:.3f}. Cost at the start {:.4g}; best "
        "cost {:.4g}.\n\n| solver | 10 % | 5 % | 1 % | seconds to 1 % | lowest cost / best |\n"
        "|---|---|---|---|---|---|\n",
        scene.name, degradation.scale, degradation.gaussian, degradation.impulse, prepared.lambda,
        runs.front().rows.front().cost, best);
    for (const Run& run : runs) {
        const auto units = [&](double share) {
            const auto row = first_within(run, best, share);
            return row ? fmt::format("{:.0f}", row->units) : "–";
        };
        const auto last = first_within(run, best, 0.01);
        double lowest = run.rows.front().cost;
        for (const IterationReport& row : run.rows)
            if (row.units <= all_units) lowest = std::min(lowest, row.cost);
        fmt::print("| {} | {} | {} | {} | {} | {:.4f} |\n", run.name, units(0.10), units(0.05),
                   units(0.01), last ? fmt::format("{:.2f}", last->seconds) : "–", lowest / best);
    }
}

// PSNR of the usual solve, the stencil kept in 32 and in 16 bits.
void compare_precision(const Scene& scene, const DegradeOptions& degradation, const Options& o) {
    const Prepared prepared = prepare(scene, degradation, o.threads);
    const Image truth = crop(luma(scene.light_field.find(scene.reference)->image),
                             prepared.problem.width, prepared.problem.height);
    const auto psnr = [&](NormalForm normal) {
        Problem problem = prepared.problem;
        problem.normal = normal;
        cpu::Backend backend(problem, o.threads);
        SolveOptions options;
        options.objective.lambda = prepared.lambda;
        auto x = backend.upload(prepared.start);
        admm(backend, options, x, [](IterationReport&, const auto&) { return true; });
        return plenosr::compare(from_planes(backend.download(x), truth.width, truth.height), truth)
            .psnr;
    };
    fmt::print("| ×{}, σ = {}, ν = {} % | {:.5f} | {:.5f} |\n", degradation.scale,
               degradation.gaussian, degradation.impulse, psnr(NormalForm::stencil),
               psnr(NormalForm::stencil_f16));
}

}  // namespace

void precision(const Options& o) {
    const Scene scene = load_scene(o.size);
    fmt::print(
        "## Coefficients in 32 and in 16 bits\n\nPSNR in dB of {}, 25 views, {} iterations.\n\n"
        "| case | f32 | f16 |\n|---|---|---|\n",
        scene.name, SolveOptions().iterations);
    for (const int scale : {2, 4})
        for (const auto& [gaussian, impulse] : {std::pair(1.0, 0.0), std::pair(20.0, 5.0)}) {
            DegradeOptions degradation;
            degradation.scale = scale;
            degradation.gaussian = gaussian;
            degradation.impulse = impulse;
            compare_precision(scene, degradation, o);
        }
}

void convergence(const Options& o) {
    const Scene scene = load_scene(o.size);
    fmt::print(
        "## Cost against computation units\n\nWeights frozen at the initial image, data term "
        "l1+l2, {:.0f} units for each solver (a CG step 2, a gradient 1, a cost 1). Units "
        "until the cost is within 10, 5, 1 % of the best that any solver reached.\n",
        all_units);
    DegradeOptions clean;
    clean.gaussian = 1;
    converge(scene, clean, o);
    DegradeOptions noisy;
    noisy.gaussian = 20;
    noisy.impulse = 5;
    converge(scene, noisy, o);
}

}  // namespace plenosr::bench
