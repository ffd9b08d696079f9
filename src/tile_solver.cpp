#include "tile_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "auto_parameters.h"
#include "tiles/work_queue.h"

namespace plenosr {

TileSolver::TileSolver(const ReconstructionJob& job, const TilePlan& plan)
    : job_(job),
      plan_(plan),
      limits_(value_limits(job.views.light_field)),
      surveyed_(survey_tiles(job, plan)) {
    statistics().noise.sensor = std::min(statistics().noise.sensor, job.earlier.max_noise);
    statistics().lambda_factor = job.earlier.lambda_factor;
}

TileProblem TileSolver::problem(std::size_t i, Engine& engine, const Progress& progress) {
    const Tile& tile = plan_.tiles[i];
    PreparedTile prepared = surveyed_.only
                                ? std::move(*surveyed_.only)
                                : prepare_tile(engine, job_.setup, job_.views, tile, progress);
    surveyed_.only.reset();
    return tile_problem(job_.setup, tile, plan_.normal, statistics(), limits_, std::move(prepared));
}

// With less than one sample per pixel, few samples of different views lie close together. Residuals
// then show what the first result could not resolve, not contradictions of the views (vinyl x4,
// 9 views: weights by trust cost 0.2 dB).
bool TileSolver::has_earlier() const {
    return job_.earlier.result != nullptr && !job_.setup.geometry.of_frames() &&
           job_.setup.options.operator_form == OperatorForm::sampling &&
           double(surveyed_.statistics.samples) >= job_.setup.geometry.pixels();
}

Image TileSolver::earlier_part(const Image& image, std::size_t i) const {
    const Image part = crop(image, plan_.tiles[i].box);
    return job_.setup.options.colour == Colour::luma ? luma(part) : part;
}

Box TileSolver::core_in_tile(std::size_t i) const {
    return owned(job_.setup, plan_.tiles[i]);
}

CorrectionFit TileSolver::fit_of(std::size_t i, const Problem& problem) const {
    CorrectionFit fit(problem.observations.size());
    fit.add(problem, earlier_part(*job_.earlier.result, i), core_in_tile(i), limits_,
            surveyed_.statistics.noise.of_samples());
    return fit;
}

void TileSolver::for_each_problem(const std::function<void(std::size_t, Problem&)>& fn) {
    for_each_tile(
        job_.engines, plan_.tiles.size(), "surveying", job_.progress,
        [&](std::size_t i, Engine& engine, const Progress& progress) {
            const CountedScope counted(engine.memory());
            TileProblem tile = problem(i, engine, progress);
            engine.run([&] { fn(i, tile.problem); });
        },
        [] {});
}

void TileSolver::compare_with_earlier() {
    const std::size_t count = plan_.tiles.size();
    if (!has_earlier() || count == 1) return;
    // In the order of the tiles, so that the sums do not depend on the threads.
    std::vector<CorrectionFit> fits(count, CorrectionFit(0));
    for_each_problem([&](std::size_t i, Problem& problem) { fits[i] = fit_of(i, problem); });
    for (std::size_t i = 1; i < count; ++i)
        fits[0].add(fits[i]);
    corrections_ = fits[0].corrections();
    std::vector<TrustResiduals::Counts> counts(count);
    for_each_problem([&](std::size_t i, Problem& problem) {
        correct_views(problem, corrections_, limits_);
        const TrustResiduals residuals(problem, earlier_part(*job_.earlier.result, i), limits_);
        counts[i] = residuals.counts(problem, core_in_tile(i));
    });
    TrustResiduals::Counts sum;
    for (const auto& part : counts)
        sum.add(part);
    scale_ = sum.scale();
}

void TileSolver::start_from_earlier(std::size_t i, Image& start) const {
    if (job_.earlier.start.empty()) return;
    const Image known = earlier_part(job_.earlier.start, i);
    for (std::size_t n = 0; n < start.values.size(); ++n)
        if (!std::isnan(known.values[n])) start.values[n] = known.values[n];
}

Image TileSolver::weigh_by_earlier(std::size_t i, double pull, Problem& problem) {
    if (!has_earlier()) return {};
    const bool whole = plan_.tiles.size() == 1;
    if (whole) corrections_ = fit_of(i, problem).corrections();
    correct_views(problem, corrections_, limits_);
    const Charge charge(problem.observations.size() * problem.low_pixels() * sizeof(float));
    const TrustResiduals residuals(problem, earlier_part(*job_.earlier.result, i), limits_);
    if (whole) {
        TrustResiduals::Counts counts;
        counts.add(residuals.counts(problem, core_in_tile(i)));
        scale_ = counts.scale();
    }
    return weight_by_trust(
        problem, residuals, scale_, statistics().noise.of_samples(), pull,
        blur_factor_of_lambda(job_.setup.geometry.psf(), job_.setup.options.scale));
}

std::string TileSolver::corrections() const {
    if (corrections_.empty()) return {};
    double brightness = 0;
    double shift = 0;
    double step = 0;
    for (const ViewCorrection& c : corrections_) {
        brightness = std::max(brightness, std::abs(c.offset + 127.5 * c.gain));
        shift = std::max(shift, std::hypot(c.dx, c.dy));
        step = std::max(step, std::hypot(c.du, c.dv));
    }
    return fmt::format(
        "Views were corrected by what the earlier result shows of them: brightness by at most "
        "{:.2f} grey levels, place by at most {:.2f} pixels of the result and {:.1f} % of a step.",
        brightness, shift, 100 * step);
}

}  // namespace plenosr
