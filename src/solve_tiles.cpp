#include "solve_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "auto_parameters.h"
#include "plenosr/metrics.h"
#include "problem/misfit_weights.h"
#include "problem/planar_layout.h"
#include "tiles/blend.h"
#include "tiles/colour.h"
#include "tiles/summary.h"
#include "tiles/work_queue.h"

namespace plenosr {
namespace {

std::string message_of(Termination termination, int iterations) {
    switch (termination) {
        case Termination::not_run:
            break;
        case Termination::converged:
            return fmt::format("converged after {} iterations", iterations);
        case Termination::max_iterations:
            return fmt::format("{} iterations done", iterations);
        case Termination::cancelled:
            return fmt::format("cancelled after {} iterations", iterations);
        case Termination::diverged:
            return fmt::format(
                "the cost is not finite after {} iterations; the result is the "
                "initial image",
                iterations);
    }
    return "the solver was not run";
}

std::string names_of(const Engines& engines) {
    std::string names;
    for (const auto& engine : engines)
        names += (names.empty() ? "" : ", ") + engine->name();
    return names;
}

Image solved_planes(Image image, Colour colour) {
    return colour == Colour::luma ? luma(image) : image;
}

// Where another view's result knows the image, the solver starts from that.
void start_from(const Image& known, Colour colour, const Box& box, Image& start) {
    const Image values = solved_planes(crop(known, box), colour);
    for (std::size_t i = 0; i < start.values.size(); ++i)
        if (!std::isnan(values.values[i])) start.values[i] = values.values[i];
}

// The cores of tiles share no pixel: any thread may do this at any time.
void paste_core(const Image& part, const Tile& tile, Image& whole) {
    const Box& core = tile.core;
    for (int y = core.y0; y < core.y1(); ++y)
        for (int x = core.x0; x < core.x1(); ++x)
            whole.at(y, x) = part.at(y - tile.box.y0, x - tile.box.x0);
}

// What the result says about itself, but for its images and what only the passes know.
void fill_in(const Job& job, const ImageStatistics& wide, const SolveOptions& options,
             SolveSummary& summary, ReconstructResult& result) {
    const ReconstructOptions& o = job.options;
    result.termination = summary.termination;
    result.message = message_of(summary.termination,
                                int(summary.iterations.size()) - 1 - summary.denoiser_steps);
    if (summary.denoiser_steps > 0)
        result.message += fmt::format(", {} denoiser steps", summary.denoiser_steps);
    const bool ended = summary.termination == Termination::converged ||
                       summary.termination == Termination::max_iterations;
    const std::string ending = options.least_change > 0 && options.iterations > 0 && ended
                                   ? why_it_ended(options, summary)
                                   : "";
    result.iterations = std::move(summary.iterations);
    result.seconds.setup += summary.setup_seconds;
    result.seconds.zw_step = summary.zw_seconds;
    result.seconds.x_step = summary.x_seconds;
    result.noise = wide.noise.residual;
    result.sensor_noise = wide.noise.sensor;
    result.impulses = wide.noise.impulses;
    result.chosen = o;
    result.chosen.lambda = options.objective.lambda;
    result.chosen.data_threshold = options.data_threshold;
    result.chosen.prior_threshold = options.prior_threshold;
    if (o.data == DataTerm::poisson_gauss) {
        result.chosen.gain = options.objective.mixture->gain;
        result.chosen.read_noise = options.objective.mixture->sigma;
    }
    result.chosen.denoiser =
        options.plug_and_play ? options.plug_and_play->denoiser : Denoiser::none;
    result.explanation = explanation(job.given, job.tiling, wide, options);
    if (!ending.empty()) result.explanation.push_back(ending);
    result.lambda = options.objective.lambda;
    result.cg = options.cg_steps;
    result.samples = wide.samples;
    result.device = names_of(job.engines);
    result.seconds.build = summary.build_seconds;
    for (const auto& engine : job.engines) {
        result.memory_peak += engine->memory().peak();
        result.device_memory_peak += engine->device_memory_peak();
        for (const std::string& note : engine->notes())
            result.notes.push_back(note);
        if (auto profile = engine->profile()) result.profile.push_back(std::move(*profile));
    }
}

}  // namespace

Surveyed survey_tiles(const Job& job, const TilePlan& plan, const ValueLimits& limits) {
    Surveyed result;
    const std::size_t count = plan.tiles.size();
    const LightField& light_field = job.views.light_field;
    std::vector<double> of_views;
    job.engines.front()->run([&] { of_views = noise_of_views(job.tiling, light_field); });
    Survey survey(job.tiling, light_field.views.size(), std::move(of_views), count, limits);
    for_each_tile(
        job.engines, count, "surveying", job.progress,
        [&](std::size_t i, Engine& engine, const Progress& progress) {
            PreparedTile tile =
                prepare_tile(engine, job.tiling, job.views, plan.tiles[i], progress);
            survey.add(i, plan.tiles[i], tile);
            if (count == 1) result.only = std::move(tile);
        },
        [] {});
    result.wide = survey.result();
    result.bytes = survey.bytes();
    return result;
}

ReconstructResult run(const Job& job, const TilePlan& plan) {
    const ReconstructOptions& o = job.options;
    const Tiling& tiling = job.tiling;
    const std::size_t count = plan.tiles.size();
    const bool whole = count == 1;
    const LightField& light_field = job.views.light_field;
    const int channels = light_field.channels();
    Stopwatch clock;
    ReconstructResult result;

    const ValueLimits limits = value_limits(light_field);
    Surveyed surveyed =
        job.known.wide ? Surveyed{*job.known.wide, {}, 0} : survey_tiles(job, plan, limits);
    ImageStatistics& wide = surveyed.wide;
    wide.noise.sensor = std::min(wide.noise.sensor, job.known.most_noise);
    wide.lambda_factor = job.known.lambda_factor;
    SolveOptions options = solve_options(tiling, wide, limits);
    // Tiles that ended after different numbers of iterations would not fit together.
    if (!whole || job.given.tolerance) options.least_change = 0;
    result.seconds.setup = clock.lap();

    // pass 2: problem -> solver -> the tile's place in the result
    double comparing = 0;  // seconds spent on PSNR and SSIM, which are not part of the job
    std::vector<SolveSummary> summaries(count);
    std::vector<std::size_t> operator_bytes(count, 0);
    result.image = Image(tiling.width(), tiling.height(), channels);
    result.initial = result.image;
    if (o.weights) result.weights = Image(tiling.width(), tiling.height());
    const int steps =
        options.iterations + (options.plug_and_play ? options.plug_and_play->steps : 0);
    Blend blend(tiling, plan);
    for_each_tile(
        job.engines, count, "solving", job.progress,
        [&](std::size_t i, Engine& engine, const Progress& progress) {
            Stopwatch watch;
            const CountedScope counted(engine.memory());
            const Tile& tile = plan.tiles[i];
            TileProblem problem = tile_problem(
                tiling, tile, plan.normal, wide, limits,
                surveyed.only ? std::move(*surveyed.only)
                              : prepare_tile(engine, tiling, job.views, tile, progress));
            if (!job.known.start.empty())
                start_from(job.known.start, o.colour, tile.box, problem.start);
            if (job.known.before != nullptr && o.operator_form == OperatorForm::sampling)
                engine.run([&] {
                    const double sigma = wide.noise.of_samples();
                    const Image squares = misfit_squares(
                        problem.problem, solved_planes(crop(*job.known.before, tile.box), o.colour),
                        sigma, limits);
                    down_weight_misfits(problem.problem, squares, sigma, misfit_scale(squares));
                });
            const double prepared = watch.lap();
            const Monitor monitor = [&](IterationReport& row, const auto& image) {
                if (!whole) return report(progress, {});
                const Stopwatch compare_watch;
                if (!job.truth.empty()) {
                    const Quality q =
                        compare(from_planes(image(), tiling.width(), tiling.height()), job.truth);
                    row.psnr = q.psnr;
                    row.ssim = q.ssim;
                }
                comparing += compare_watch.seconds();
                return report(progress, {"solving", row.iteration, steps, row.cost});
            };
            Solution solution =
                engine.solve(problem.problem, problem.start, o.solver, options, monitor);
            problem.problem = {};
            if (o.weights) paste_core(solution.weights, tile, result.weights);
            summaries[i] = std::move(solution.summary);
            summaries[i].setup_seconds += prepared;
            operator_bytes[i] = solution.operator_bytes;
            if (!whole && summaries[i].termination == Termination::cancelled) throw Cancelled();
            blend.add(i, solution.image, result.image, problem.start, result.initial);
        },
        [&] { blend.abandon(); });

    // result: brightness solved, colours interpolated
    SolveSummary summary = sum_over_tiles(summaries);
    if (summary.termination == Termination::diverged) result.image = result.initial;
    if (!whole && !job.truth.empty()) {
        const Stopwatch watch;
        const Image solved = o.colour == Colour::luma ? channel(result.image, 0) : result.image;
        const Quality q = compare(solved, job.truth);
        summary.iterations.back().psnr = q.psnr;
        summary.iterations.back().ssim = q.ssim;
        comparing += watch.seconds();
    }
    if (o.colour == Colour::luma && channels == 3)
        for (Image* image : {&result.image, &result.initial})
            colour_in(*image, light_field.views[job.views.reference].image, o.scale,
                      *job.engines.front());
    fill_in(job, wide, options, summary, result);
    result.operator_bytes = *std::max_element(operator_bytes.begin(), operator_bytes.end());
    result.memory_peak += surveyed.bytes;
    result.wall_seconds = clock.seconds() - comparing;
    return result;
}

}  // namespace plenosr
