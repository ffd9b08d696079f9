#pragma once

#include "backends/cpu/backend.h"
#include "solver/paper_admm.h"

namespace plenosr::cpu {

// The problem in the published form (solver/paper_admm.h): the samples' weights m, which must be 0
// or 1, are rows of A and y that vanish; lambda, w_d and e are inside S. Both must outlive the
// result.
PaperProblem in_paper_form(const Problem& problem, Backend& backend, double lambda,
                           const Vector& e);

// paper_admm() on it, with what the options have a meaning for there: theta = 1 / (lambda1
// data_threshold).
SolveSummary solve_in_paper_form(const Problem& problem, Backend& backend,
                                 const SolveOptions& options, Vector& x, const Monitor& monitor);

}  // namespace plenosr::cpu
