#pragma once

#include "solver/admm.h"
#include "solver/gradient_descent.h"

namespace plenosr {

// The solver that was asked for, on any backend; x comes in as the start and leaves as the result.
template <SolverBackend B>
SolveSummary run_solver(B& backend, Solver solver, const SolveOptions& options,
                        typename B::Vector& x, const Monitor& monitor) {
    if (solver == Solver::admm) return admm(backend, options, x, monitor);
    return gradient_descent(backend, options, solver == Solver::gd_ls, x, monitor);
}

}  // namespace plenosr
