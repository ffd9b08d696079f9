#include "solve_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "auto_parameters.h"
#include "base/cancelled.h"
#include "explain.h"
#include "plenosr/metrics.h"
#include "problem/planar_layout.h"
#include "self_check.h"
#include "shared_estimates.h"
#include "tile_solver.h"
#include "tiles/blend.h"
#include "tiles/colour.h"
#include "tiles/film.h"
#include "tiles/summary.h"
#include "tiles/work_queue.h"

namespace plenosr {
namespace {

std::string message_of(Termination termination, int iterations) {
    switch (termination) {
        case Termination::not_run:
        case Termination::finished:
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

// lambda divided by the curvature that a sample with a residual of one sigma gives the data term:
// about the grey levels by which the prior moves an edge.
double pull_of_prior(const Objective& f, double sigma) {
    if (f.mixture) return f.lambda * sigma * sigma;
    return f.lambda / (f.lambda1 / sigma + 2 * f.lambda2);
}

void report_engines(const Engines& engines, ReconstructResult& result) {
    result.device = names_of(engines);
    for (const auto& engine : engines) {
        result.memory_peak += engine->memory().peak();
        result.device_memory_peak += engine->device_memory_peak();
        for (const std::string& note : engine->notes())
            result.notes.push_back(note);
        if (auto profile = engine->profile()) result.profile.push_back(std::move(*profile));
    }
}

// All that the result says about itself, apart from its images.
void describe(const ReconstructionJob& job, const ImageStatistics& statistics,
              const SolveOptions& options, SolveSummary& summary, ReconstructResult& result) {
    result.termination = summary.termination;
    result.message = message_of(summary.termination,
                                int(summary.iterations.size()) - 1 - summary.denoiser_steps);
    if (summary.denoiser_steps > 0)
        result.message += fmt::format(", {} denoiser steps", summary.denoiser_steps);
    result.explanation = explanation(job.given, job.setup, statistics, options);
    if (const std::string end = why_it_ended(options, summary); !end.empty())
        result.explanation.push_back(end);
    result.iterations = std::move(summary.iterations);
    result.seconds.setup += summary.setup_seconds;
    result.seconds.build = summary.build_seconds;
    result.seconds.zw_step = summary.zw_seconds;
    result.seconds.x_step = summary.x_seconds;
    result.noise = statistics.noise.residual;
    result.sensor_noise = statistics.noise.sensor;
    result.impulses = statistics.noise.impulses;
    result.samples = statistics.samples;
    result.chosen = with_solver_choices(job.setup.options, options);
    result.lambda = options.objective.lambda;
    result.cg = options.cg_steps;
    result.estimates = estimates_of(job.setup, statistics, result.lambda);
    report_engines(job.engines, result);
}

}  // namespace

Surveyed survey_tiles(const ReconstructionJob& job, const TilePlan& plan) {
    Surveyed result;
    const std::size_t count = plan.tiles.size();
    const LightFieldView& light_field = job.views.light_field;
    const EarlierResults& earlier = job.earlier;
    std::vector<double> noise = earlier.noise_of_views;
    if (noise.empty() && weights_views_by_noise(job.setup))
        job.engines.front()->run([&] { noise = noise_of_views(light_field); });
    Survey survey(job.setup, light_field.views.size(), std::move(noise), count,
                  value_limits(light_field), earlier.statistics ? &*earlier.statistics : nullptr);
    for_each_tile(
        job.engines, count, "surveying", job.progress,
        [&](std::size_t i, Engine& engine, const Progress& progress) {
            PreparedTile tile = prepare_tile(engine, job.setup, job.views, plan.tiles[i], progress);
            survey.add(i, plan.tiles[i], tile);
            if (count == 1) result.only = std::move(tile);
        },
        [] {});
    result.statistics = survey.result();
    result.bytes = survey.bytes();
    return result;
}

ReconstructResult solve_tiles(const ReconstructionJob& job, const TilePlan& plan) {
    const ReconstructOptions& o = job.setup.options;
    const TileGeometry& geometry = job.setup.geometry;
    const std::size_t count = plan.tiles.size();
    const bool whole = count == 1;
    const LightFieldView& light_field = job.views.light_field;
    Stopwatch clock;
    ReconstructResult result;

    // Pass 1: statistics of the whole image, and what follows from them.
    TileSolver solver(job, plan);
    SolveOptions options = solve_options(job.setup, solver.statistics(), solver.limits());
    // Tiles that ended after different numbers of iterations would not fit together.
    if (!whole || job.given.tolerance) options.least_change = 0;
    const double pull = pull_of_prior(options.objective, solver.statistics().noise.of_samples());
    solver.compare_with_earlier();
    SelfChecker checker(job, plan, solver.statistics(), solver.limits(), options);
    result.seconds.setup = clock.lap();

    // Pass 2: problem -> solver -> the tile's place in the result.
    double comparing = 0;  // seconds spent on PSNR and SSIM, which are not part of the job
    std::vector<SolveSummary> summaries(count);
    std::vector<std::size_t> operator_bytes(count, 0);
    result.image = Image(geometry.width(), geometry.height(), light_field.channels());
    result.initial = result.image;
    if (o.weights) result.weights = Image(geometry.width(), geometry.height());
    const int steps =
        options.iterations + (options.plug_and_play ? options.plug_and_play->use.steps : 0);
    std::once_flag has_trust;
    Blend blend(geometry.width(), geometry.height(), plan);
    Film film(o.keep_iterations, steps, geometry.width(), geometry.height(), light_field.channels(),
              plan);
    for_each_tile(
        job.engines, count, "solving", job.progress,
        [&](std::size_t i, Engine& engine, const Progress& progress) {
            Stopwatch watch;
            const CountedScope counted(engine.memory());
            const Tile& tile = plan.tiles[i];
            TileProblem problem = solver.problem(i, engine, progress);
            LeftOutSamples left_out = checker.choose(problem.problem);
            Image trust;
            engine.run([&] { trust = solver.weigh_by_earlier(i, pull, problem.problem); });
            if (o.weights && !trust.empty()) {
                std::call_once(has_trust,
                               [&] { result.trust = Image(geometry.width(), geometry.height()); });
                paste_core(trust, tile, result.trust);
            }
            trust = {};
            // Before the start is the result of another view, which has seen what is left out.
            checker.check(i, problem, std::move(left_out), engine, progress);
            engine.run([&] { solver.start_from_earlier(i, problem.start); });
            const double prepared = watch.lap();
            const Monitor monitor = [&](IterationReport& row, const auto& image) {
                if (checker.stopped()) return false;
                film.keep(i, row.iteration,
                          [&] { return from_planes(image(), tile.box.width, tile.box.height); });
                if (!whole) return report(progress, {});
                const Stopwatch compare_watch;
                if (!job.truth.empty() && std::isfinite(row.cost)) {  // else it diverged
                    const Quality q =
                        compare(from_planes(image(), geometry.width(), geometry.height()),
                                job.truth, {.border = o.border});
                    row.psnr = q.psnr;
                    row.ssim = q.ssim;
                }
                comparing += compare_watch.seconds();
                return report(progress, {"solving", row.iteration, steps, row.cost});
            };
            Solution solution =
                engine.solve(problem.problem, problem.start, o.solver, options, monitor);
            if (whole) report_end(job.progress, "solving", solution.summary);  // all is done
            problem.problem = {};
            if (o.weights) paste_core(solution.weights, tile, result.weights);
            summaries[i] = std::move(solution.summary);
            summaries[i].setup_seconds += prepared;
            operator_bytes[i] = solution.operator_bytes;
            film.end(i, summaries[i].iterations.back().iteration, solution.image);
            if (!whole && summaries[i].termination == Termination::cancelled) throw Cancelled();
            blend.add(i, solution.image, result.image, problem.start, result.initial);
        },
        [&] { blend.abandon(); });

    // The result: solved brightness, interpolated colours.
    SolveSummary summary = sum_over_tiles(summaries);
    if (summary.termination == Termination::diverged) result.image = result.initial;
    if (!whole && !job.truth.empty()) {
        const Stopwatch watch;
        const Image solved = o.colour == Colour::luma ? channel(result.image, 0) : result.image;
        const Quality q = compare(solved, job.truth, {.border = o.border});
        summary.iterations.back().psnr = q.psnr;
        summary.iterations.back().ssim = q.ssim;
        comparing += watch.seconds();
    }
    const ImageView& reference = light_field.views[job.views.reference].image;
    const bool colourless = o.colour == Colour::luma && light_field.channels() == 3;
    if (colourless)
        for (Image* image : {&result.image, &result.initial})
            colour_in(*image, reference, geometry.sampling(), *job.engines.front());
    if (summary.termination != Termination::diverged) {
        result.film = film.pictures(colourless ? &reference : nullptr, geometry.sampling(),
                                    *job.engines.front());
        if (std::string note = film.note(); !note.empty()) result.notes.push_back(std::move(note));
    }
    describe(job, solver.statistics(), options, summary, result);
    if (std::string text = solver.corrections(); !text.empty())
        result.explanation.push_back(std::move(text));
    const bool has_image = summary.termination == Termination::converged ||
                           summary.termination == Termination::max_iterations;
    if (has_image) checker.finish(result);
    result.operator_bytes = *std::max_element(operator_bytes.begin(), operator_bytes.end());
    result.memory_peak += solver.survey_bytes();
    result.wall_seconds = clock.seconds() - comparing;
    return result;
}

}  // namespace plenosr
