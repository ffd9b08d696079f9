#pragma once

#include <cmath>
#include <utility>

#include "solver/backend.h"
#include "solver/solve.h"

namespace plenosr {

template <VectorSource B>
struct GradientDescentVectors {
    typename B::Vector gradient;
    typename B::Vector trial;
    typename B::Vector samples;
    typename B::Vector e;  // the prior's weights

    explicit GradientDescentVectors(B& b)
        : gradient(b.new_image()),
          trial(b.new_image()),
          samples(b.new_samples()),
          e(b.new_weights()) {}
};

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
    GradientDescentVectors<B> v(b);
    b.weights(x, v.e);

    const auto cost_at = [&](const Vector& at, IterationReport& row) {
        b.forward(at, v.samples);
        const TermSums d =
            b.data_gradient(f.lambda1, 2 * f.lambda2, v.samples);  // samples <- slope
        row.data = f.lambda1 * d.l1 + f.lambda2 * d.l2;
        row.prior = f.lambda * b.prior_cost(at, v.e);
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
        // v.samples holds the slope at x
        b.adjoint(v.samples, v.gradient);
        b.add_prior_gradient(f.lambda, x, v.e, v.gradient);
        const double slope = b.value(b.dot(v.gradient, v.gradient));
        units += 1;
        seconds += clock.lap();
        row.iteration = n;
        row.units = units;
        row.seconds = seconds;
        row.dual_residual = std::sqrt(slope);
        const bool go_on = monitor(row, [&] { return b.download(x); });
        summary.iterations.push_back(row);
        clock.lap();
        summary.termination = termination_of(row, go_on, slope == 0 || settled, o.iterations);
        if (summary.termination != Termination::not_run) break;

        if (n == 0) step = o.first_step * std::sqrt(double(b.image_size()) / slope);
        bool stuck = false;
        for (int halving = 0;; ++halving) {
            b.copy(x, v.trial);
            b.axpby(-step, v.gradient, 1.0, v.trial);
            const double before = row.cost;
            IterationReport next;
            cost_at(v.trial, next);
            units += 1;
            if (!line_search || next.cost <= before - armijo_decrease * step * slope) {
                row.data = next.data;
                row.prior = next.prior;
                row.cost = next.cost;
                break;
            }
            step /= 2;
            stuck = halving == most_halvings;
            if (stuck) break;
        }
        if (stuck) {  // no step lowers the cost: x lies on a kink
            summary.termination = Termination::converged;
            break;
        }
        const double moved = step * std::sqrt(slope);
        std::swap(x, v.trial);
        if (line_search) step *= 2;
        if (n < o.reweights) {
            b.weights(x, v.e);
            cost_at(x, row);
            units += 1;
        }
        // The last step gets a row too: the last row always belongs to the returned image.
        settled = o.tolerance > 0 && moved <= o.tolerance * std::sqrt(b.value(b.dot(x, x)));
    }
    summary.x_seconds = seconds;
    return summary;
}

}  // namespace plenosr
