#include "solve_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "auto_parameters.h"
#include "explain.h"
#include "plenosr/metrics.h"
#include "problem/misfit_weights.h"
#include "problem/planar_layout.h"
#include "tiles/blend.h"
#include "tiles/colour.h"
#include "tiles/summary.h"
#include "tiles/tile_problem.h"
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

Image solved_part(const Image& image, const Box& box, Colour colour) {
    const Image part = crop(image, box);
    return colour == Colour::luma ? luma(part) : part;
}

// Where the result of another view is known, the solver starts from it.
void start_from(const Image& known, Colour colour, const Box& box, Image& start) {
    const Image values = solved_part(known, box, colour);
    for (std::size_t i = 0; i < start.values.size(); ++i)
        if (!std::isnan(values.values[i])) start.values[i] = values.values[i];
}

// One solve, after the survey.
class TileSolver {
public:
    TileSolver(const ReconstructionJob& job, const TilePlan& plan)
        : job_(job),
          plan_(plan),
          limits_(value_limits(job.views.light_field)),
          surveyed_(survey_tiles(job, plan)) {
        statistics().noise.sensor = std::min(statistics().noise.sensor, job.earlier.max_noise);
        statistics().lambda_factor = job.earlier.lambda_factor;
    }

    ImageStatistics& statistics() { return surveyed_.statistics; }
    const ValueLimits& limits() const { return limits_; }
    std::size_t survey_bytes() const { return surveyed_.bytes; }

    // The problem of tile i; uses the tile that the survey prepared, if it is the only one.
    TileProblem problem(std::size_t i, Engine& engine, const Progress& progress) {
        const Tile& tile = plan_.tiles[i];
        PreparedTile prepared = surveyed_.only
                                    ? std::move(*surveyed_.only)
                                    : prepare_tile(engine, job_.setup, job_.views, tile, progress);
        surveyed_.only.reset();
        return tile_problem(job_.setup, tile, plan_.normal, statistics(), limits_,
                            std::move(prepared));
    }

    bool down_weights_misfits() const {
        return job_.earlier.result != nullptr &&
               job_.setup.options.operator_form == OperatorForm::sampling;
    }

    // s^2 of problem/misfit_weights.h.
    Image misfits(std::size_t i, const Problem& problem) {
        return misfit_squares(
            problem,
            solved_part(*job_.earlier.result, plan_.tiles[i].box, job_.setup.options.colour),
            statistics().noise.of_samples(), limits_);
    }

    // The median of s^2 over the whole image, so that tiles do not change the weights. A pass of
    // its own over the tiles, if there are several.
    float misfit_scale_of_tiles() {
        Image whole(job_.setup.geometry.width(), job_.setup.geometry.height());
        for_each_tile(
            job_.engines, plan_.tiles.size(), "surveying", job_.progress,
            [&](std::size_t i, Engine& engine, const Progress& progress) {
                const CountedScope counted(engine.memory());
                const TileProblem tile = problem(i, engine, progress);
                engine.run([&] { paste_core(misfits(i, tile.problem), plan_.tiles[i], whole); });
            },
            [] {});
        return misfit_scale(whole);
    }

private:
    const ReconstructionJob& job_;
    const TilePlan& plan_;
    ValueLimits limits_;
    Surveyed surveyed_;
};

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
    report_engines(job.engines, result);
}

}  // namespace

Surveyed survey_tiles(const ReconstructionJob& job, const TilePlan& plan) {
    Surveyed result;
    const std::size_t count = plan.tiles.size();
    const LightField& light_field = job.views.light_field;
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
    const LightField& light_field = job.views.light_field;
    Stopwatch clock;
    ReconstructResult result;

    // Pass 1: statistics of the whole image, and what follows from them.
    TileSolver solver(job, plan);
    SolveOptions options = solve_options(job.setup, solver.statistics(), solver.limits());
    // Tiles that ended after different numbers of iterations would not fit together.
    if (!whole || job.given.tolerance) options.least_change = 0;
    float misfit_scale_of_image = 0;
    if (solver.down_weights_misfits() && !whole)
        misfit_scale_of_image = solver.misfit_scale_of_tiles();
    result.seconds.setup = clock.lap();

    // Pass 2: problem -> solver -> the tile's place in the result.
    double comparing = 0;  // seconds spent on PSNR and SSIM, which are not part of the job
    std::vector<SolveSummary> summaries(count);
    std::vector<std::size_t> operator_bytes(count, 0);
    result.image = Image(geometry.width(), geometry.height(), light_field.channels());
    result.initial = result.image;
    if (o.weights) result.weights = Image(geometry.width(), geometry.height());
    const int steps =
        options.iterations + (options.plug_and_play ? options.plug_and_play->steps : 0);
    Blend blend(geometry.width(), geometry.height(), plan);
    for_each_tile(
        job.engines, count, "solving", job.progress,
        [&](std::size_t i, Engine& engine, const Progress& progress) {
            Stopwatch watch;
            const CountedScope counted(engine.memory());
            const Tile& tile = plan.tiles[i];
            TileProblem problem = solver.problem(i, engine, progress);
            if (!job.earlier.start.empty())
                start_from(job.earlier.start, o.colour, tile.box, problem.start);
            if (solver.down_weights_misfits())
                engine.run([&] {
                    const Image squares = solver.misfits(i, problem.problem);
                    down_weight_misfits(problem.problem, squares,
                                        solver.statistics().noise.of_samples(),
                                        whole ? misfit_scale(squares) : misfit_scale_of_image);
                });
            const double prepared = watch.lap();
            const Monitor monitor = [&](IterationReport& row, const auto& image) {
                if (!whole) return report(progress, {});
                const Stopwatch compare_watch;
                if (!job.truth.empty()) {
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
            problem.problem = {};
            if (o.weights) paste_core(solution.weights, tile, result.weights);
            summaries[i] = std::move(solution.summary);
            summaries[i].setup_seconds += prepared;
            operator_bytes[i] = solution.operator_bytes;
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
    if (o.colour == Colour::luma && light_field.channels() == 3)
        for (Image* image : {&result.image, &result.initial})
            colour_in(*image, light_field.views[job.views.reference].image, geometry.sampling(),
                      *job.engines.front());
    describe(job, solver.statistics(), options, summary, result);
    result.operator_bytes = *std::max_element(operator_bytes.begin(), operator_bytes.end());
    result.memory_peak += solver.survey_bytes();
    result.wall_seconds = clock.seconds() - comparing;
    return result;
}

}  // namespace plenosr
