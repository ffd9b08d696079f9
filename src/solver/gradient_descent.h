#pragma once

#include <cmath>
#include <utility>

#include "solver/backend.h"
#include "solver/solve.h"

namespace plenosr {

// Steepest descent on the non-smooth objective with its subgradient
//   g = A'M (2 lambda2 r + lambda1 sign r) + lambda S'(w_d e sign(S x)),   x <- x - t g
// `gd`: fixed t, so that the first step moves the image by first_step grey levels (RMS).
// `gd-ls`: backtracking; t doubles after success and halves until the cost falls (Armijo).
template <SolverBackend B>
SolveSummary gradient_descent(B& b, const SolveOptions& o, bool line_search, typename B::Vector& x,
                              const Monitor& monitor) {
    using Vector = typename B::Vector;
    const Objective& f = o.objective;
    Stopwatch clock;
    Vector gradient = b.new_image();
    Vector trial = b.new_image();
    Vector samples = b.new_samples();
    Vector e = b.new_weights();
    b.weights(x, e);

    const auto cost_at = [&](const Vector& at, IterationReport& row) {
        b.forward(at, samples);
        const TermSums d = b.data_gradient(f.lambda1, 2 * f.lambda2, samples);  // leaves the slope
        row.data = f.lambda1 * d.l1 + f.lambda2 * d.l2;
        row.prior = f.lambda * b.prior_cost(at, e);
        row.cost = row.data + row.prior;
    };

    SolveSummary summary;
    IterationReport row;
    double step = 0;
    double seconds = 0;
    double units = 1;
    bool settled = false;
    cost_at(x, row);
    for (int n = 0;; ++n) {
        // samples hold the slope at x
        b.adjoint(samples, gradient);
        b.add_prior_gradient(f.lambda, x, e, gradient);
        const double slope = b.value(b.dot(gradient, gradient));
        units += 1;
        seconds += clock.lap();
        row.iteration = n;
        row.units = units;
        row.seconds = seconds;
        row.dual_residual = std::sqrt(slope);
        const bool go_on = monitor(row, [&] { return b.download(x); });
        summary.iterations.push_back(row);
        clock.lap();
        if (!std::isfinite(row.cost))
            summary.termination = Termination::diverged;
        else if (!go_on)
            summary.termination = Termination::cancelled;
        else if (slope == 0 || settled)
            summary.termination = Termination::converged;
        else if (n == o.iterations)
            summary.termination = Termination::max_iterations;
        if (summary.termination != Termination::not_run) break;

        if (n == 0) step = o.first_step * std::sqrt(double(b.image_size()) / slope);
        bool stuck = false;
        for (int halving = 0;; ++halving) {
            b.copy(x, trial);
            b.axpby(-step, gradient, 1.0, trial);
            const double before = row.cost;
            IterationReport next;
            cost_at(trial, next);
            units += 1;
            if (!line_search || next.cost <= before - 1e-4 * step * slope) {
                row.data = next.data;
                row.prior = next.prior;
                row.cost = next.cost;
                break;
            }
            step /= 2;
            stuck = halving == 40;
            if (stuck) break;
        }
        if (stuck) {  // no step lowers the cost: a kink, as good as it gets
            summary.termination = Termination::converged;
            break;
        }
        const double moved = step * std::sqrt(slope);
        std::swap(x, trial);
        if (line_search) step *= 2;
        if (n < o.reweights) {
            b.weights(x, e);
            cost_at(x, row);
            units += 1;
        }
        // The step that settles it has its row too: the last row is that of the returned image.
        settled = o.tolerance > 0 && moved <= o.tolerance * std::sqrt(b.value(b.dot(x, x)));
    }
    summary.x_seconds = seconds;
    return summary;
}

}  // namespace plenosr
