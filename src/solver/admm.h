#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/cg.h"
#include "solver/solve.h"

namespace plenosr {

template <VectorSource B>
struct AdmmVectors {
    using Vector = typename B::Vector;
    CgWorkspace<B> cg;
    Vector gradient;
    Vector samples;
    Vector u_prior;   // z2 + w2
    Vector e;         // the prior's weights
    Vector e_old;     // those of the previous iteration
    Vector u_data;    // z1 + w1, if the data term is split
    Vector previous;  // x of the previous iteration, if the solver may stop early

    AdmmVectors(B& b, bool splits_data, bool keeps_previous)
        : cg(b),
          gradient(b.new_image()),
          samples(b.new_samples()),
          u_prior(b.new_field()),
          e(b.new_weights()),
          e_old(b.new_weights()),
          u_data(splits_data ? b.new_samples() : Vector()),
          previous(keeps_previous ? b.new_image() : Vector()) {}
};

// ADMM on  z1 = A x - y,  z2 = S x  with the weights in the proximal maps, so that S'S is a
// constant stencil and reweighting changes no operator:
//   z-step  u <- relax (F x - b) + (1 - relax) z + w,   z <- prox(u),   w <- u - z
//   x-step  (2 lambda2 + theta1) A'MA x + theta2 S'S x
//             = A'M (2 lambda2 y + theta1 (y + z1 - w1)) + theta2 S'(z2 - w2)
// solved for the change of x: the right-hand side is minus the gradient at x. The penalty of sample
// i is theta1 m_i, hence one operator serves both data terms.
//
// A mixture (problem/mixture.h) is quadratic after its expectation step, so it needs no z1:
//   x-step  A'M Omega (A x - yhat) / sigma^2 + theta2 S'(S x - z2 + w2) = 0
// The right-hand side uses omega exactly. The operator uses its mean, A'MA sum(m omega) / sum(m)
// instead of A'M Omega A, so that nothing is reassembled; the fixed point is the same. In strong
// noise this converges as fast as exact weights. In weak noise Huber's distance starts larger
// (first_robustness). If the noise varies with the brightness, the operator contains the curvature
// at the start: Fisher scoring with a constant matrix, again with the same fixed point.
template <SolverBackend B>
SolveSummary admm(B& b, const SolveOptions& o, typename B::Vector& x, const Monitor& monitor) {
    const Objective& f = o.objective;
    const bool splits_data = !f.mixture;
    const double theta1 = splits_data ? f.lambda1 / o.data_threshold : 0.0;
    const double theta2 = f.lambda * b.largest_direction_weight() / o.prior_threshold;
    const double quadratic = splits_data ? 2 * f.lambda2 : f.mixture->precision();
    const double data_threshold = theta1 > 0 ? f.lambda1 / theta1 : 0.0;
    const double prior_threshold = theta2 > 0 ? f.lambda / theta2 : 0.0;

    Stopwatch clock;
    const bool may_stop = o.tolerance > 0 || o.least_change > 0;
    const double least_square = o.least_change * o.least_change * double(b.image_size());
    AdmmVectors<B> v(b, splits_data, may_stop);

    if (!splits_data && f.mixture->varies()) {
        b.forward(x, v.samples);
        b.set_curvature(*f.mixture, v.samples);
    }
    b.inverse_diagonal(quadratic + theta1, theta2, 0.0, v.cg.inverse_diagonal);
    b.weights(x, v.e);
    b.copy(v.e, v.e_old);
    b.forward(x, v.samples);
    if (splits_data) {
        b.copy(v.samples, v.u_data);
        b.residual(v.u_data);  // z1 <- A x - y, w1 <- 0
    }
    b.differences(x, v.u_prior);  // z2 <- S x,     w2 <- 0

    SolveSummary summary;
    ProxParameters data{o.relax, 0.0, data_threshold};
    ProxParameters prior{o.relax, 0.0, prior_threshold};
    double units = 0;
    double seconds = clock.lap();
    summary.zw_seconds = seconds;
    for (int n = 0;; ++n) {
        if (n > 0 && n <= o.reweights) {
            std::swap(v.e, v.e_old);
            b.weights(x, v.e);
        } else if (n > 0 && n - 1 == o.reweights) {
            b.copy(v.e, v.e_old);
        }
        if (n > 0) b.forward(x, v.samples);
        IterationReport row;
        TermSums d;
        double mean_weight = 1;
        if (splits_data) {
            d = b.data_step(data, quadratic, theta1, v.u_data, v.samples);
            row.data = f.lambda1 * d.l1 + f.lambda2 * d.l2;
        } else {
            Mixture mixture = *f.mixture;
            mixture.robust *= std::max(1.0, std::ldexp(first_robustness, -n));
            const MixtureSums sums = b.mixture_step(mixture, v.samples);
            row.data = sums.cost;
            mean_weight = std::max(least_mean_weight, sums.trusted / std::max(sums.weight, 1e-30));
        }
        const TermSums p = b.prior_step(prior, x, v.e_old, v.e, v.u_prior);
        units += 1;
        const double lap = clock.lap();
        summary.zw_seconds += lap;
        seconds += lap;

        row.iteration = n;
        row.prior = f.lambda * p.l1;
        row.cost = row.data + row.prior;
        row.primal_residual = std::sqrt(d.primal + p.primal);
        row.dual_residual = std::sqrt(theta1 * theta1 * d.dual + theta2 * theta2 * p.dual);
        row.units = units;
        row.seconds = seconds;
        const bool go_on = monitor(row, [&] { return b.download(x); });
        summary.iterations.push_back(row);
        clock.lap();  // the monitor's time is not counted
        bool converged = false;
        if (n > 0 && may_stop && go_on && std::isfinite(row.cost)) {
            b.axpby(1.0, x, -1.0, v.previous);  // previous <- x - previous
            const double change = b.value(b.dot(v.previous, v.previous));
            summary.last_change = std::sqrt(change / double(b.image_size()));
            const double relative = o.tolerance * o.tolerance;
            converged = (n > admm_settling_iterations && change <= least_square) ||
                        (relative > 0 && change <= relative * b.value(b.dot(x, x)));
        }
        summary.termination = termination_of(row, go_on, converged, o.iterations);
        if (summary.termination != Termination::not_run) return summary;
        if (may_stop) b.copy(x, v.previous);

        b.adjoint(v.samples, v.gradient);
        b.add_prior_force(theta2, prior_threshold, x, v.e, v.u_prior, v.gradient);
        data.old_threshold = data_threshold;
        prior.old_threshold = prior_threshold;
        b.finish();
        const double rhs_lap = clock.lap();
        summary.zw_seconds += rhs_lap;

        b.axpby(0.0, v.gradient, -1.0, v.gradient);  // r <- -gradient
        const int steps = conjugate_gradients(b, mean_weight * quadratic + theta1, theta2,
                                              o.cg_steps, o.cg_tolerance, v.cg, v.gradient, x);
        units += 1 + 2 * steps;
        b.finish();
        const double x_lap = clock.lap();
        summary.x_seconds += x_lap;
        seconds += rhs_lap + x_lap;
    }
}

}  // namespace plenosr
