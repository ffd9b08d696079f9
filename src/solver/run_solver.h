#pragma once

#include "solver/admm.h"
#include "solver/gradient_descent.h"
#include "solver/plug_and_play.h"

namespace plenosr {

// Runs the chosen solver on any backend; x is the start and becomes the result.
template <SolverBackend B>
SolveSummary run_solver(B& backend, Solver solver, const SolveOptions& options,
                        typename B::Vector& x, const Denoise<B>& denoise, const Monitor& monitor) {
    SolveSummary summary =
        solver == Solver::admm
            ? admm(backend, options, x, monitor)
            : gradient_descent(backend, options, solver == Solver::gd_ls, x, monitor);
    const bool done = summary.termination == Termination::converged ||
                      summary.termination == Termination::max_iterations;
    if (done && options.plug_and_play)
        plug_and_play(backend, options, denoise, x, monitor, summary);
    return summary;
}

}  // namespace plenosr
