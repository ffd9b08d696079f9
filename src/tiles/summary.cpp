#include "tiles/summary.h"

#include <algorithm>
#include <cmath>

namespace plenosr {

SolveSummary sum_over_tiles(const std::vector<SolveSummary>& tiles) {
    if (tiles.size() == 1) return tiles.front();
    SolveSummary sum;
    std::size_t rows = 0;
    for (const SolveSummary& tile : tiles)
        rows = std::max(rows, tile.iterations.size());
    sum.iterations.resize(rows);
    bool all_converged = true;
    bool diverged = false;
    for (const SolveSummary& tile : tiles) {
        for (std::size_t i = 0; i < rows; ++i) {
            const IterationReport& from = tile.iterations[std::min(i, tile.iterations.size() - 1)];
            IterationReport& row = sum.iterations[i];
            row.iteration = int(i);
            row.cost += from.cost;
            row.data += from.data;
            row.prior += from.prior;
            row.primal_residual = std::hypot(row.primal_residual, from.primal_residual);
            row.dual_residual = std::hypot(row.dual_residual, from.dual_residual);
            row.units = std::max(row.units, from.units);
            row.seconds += from.seconds;
        }
        sum.denoiser_steps = std::max(sum.denoiser_steps, tile.denoiser_steps);
        sum.setup_seconds += tile.setup_seconds;
        sum.build_seconds += tile.build_seconds;
        sum.zw_seconds += tile.zw_seconds;
        sum.x_seconds += tile.x_seconds;
        all_converged = all_converged && tile.termination == Termination::converged;
        diverged = diverged || tile.termination == Termination::diverged;
    }
    sum.termination = diverged        ? Termination::diverged
                      : all_converged ? Termination::converged
                                      : Termination::max_iterations;
    return sum;
}

bool report_end(const Progress& progress, std::string_view stage, const SolveSummary& summary) {
    const bool ended = summary.termination == Termination::converged ||
                       summary.termination == Termination::max_iterations;
    if (!ended) return true;
    const IterationReport& last = summary.iterations.back();
    return report(progress, {stage, last.iteration, last.iteration, last.cost});
}

}  // namespace plenosr
