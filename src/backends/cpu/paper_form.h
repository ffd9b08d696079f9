#pragma once

#include "backends/cpu/backend.h"
#include "solver/paper_admm.h"

namespace plenosr::cpu {

// The problem in the published form (solver/paper_admm.h). The samples' weights m, which must be 0
// or 1, multiply the rows of A and y; lambda, w_d and e are part of S. `problem` and `backend` must
// outlive the result.
PaperProblem in_paper_form(const Problem& problem, Backend& backend, double lambda,
                           const Vector& e);

// paper_admm() on it, with theta = 1 / (lambda1 data_threshold).
SolveSummary solve_in_paper_form(const Problem& problem, Backend& backend,
                                 const SolveOptions& options, Vector& x, const Monitor& monitor);

// Peak of solve_in_paper_form(), for a backend whose vectors take so many bytes.
std::size_t paper_form_bytes(const VectorBytes& vector);

}  // namespace plenosr::cpu
