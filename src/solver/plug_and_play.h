#pragma once

#include <algorithm>
#include <cmath>

#include "solver/cg.h"
#include "solver/solve.h"

namespace plenosr {

// denoise(x, sigma, v): v <- x with noise of standard deviation sigma removed
template <SolverBackend B>
using Denoise =
    std::function<void(const typename B::Vector& x, double sigma, typename B::Vector& v)>;

template <VectorSource B>
struct DenoisingVectors {
    CgWorkspace<B> cg;
    typename B::Vector gradient;
    typename B::Vector start;  // x0
    typename B::Vector v;
    typename B::Vector samples;
    typename B::Vector e;  // the prior's weights, for its cost

    explicit DenoisingVectors(B& b)
        : cg(b),
          gradient(b.new_image()),
          start(b.new_image()),
          v(b.new_image()),
          samples(b.new_samples()),
          e(b.new_weights()) {}
};

// A denoiser as the prior, by half-quadratic splitting. Starts at the variational result x0:
//   x <- argmin (data term) + |x - v|^2 / (2 s^2),   v <- denoised(x, a s)
// with a = noise_per_s. s falls in equal ratios. The error of x is smaller than s, hence a < 1. The
// result is share v + (1 - share) x0. The data term is the mixture's.
template <SolverBackend B>
void plug_and_play(B& b, const SolveOptions& o, const Denoise<B>& denoise, typename B::Vector& x,
                   const Monitor& monitor, SolveSummary& summary) {
    const PlugAndPlay& p = *o.plug_and_play;
    const double precision = p.mixture.precision();
    Stopwatch clock;
    DenoisingVectors<B> vectors(b);
    auto& [workspace, gradient, start, v, samples, e] = vectors;
    b.weights(x, e);
    b.copy(x, start);
    b.copy(x, v);
    const DenoiserSteps& use = p.use;
    for (int n = 0; n < use.steps; ++n) {
        const double ratio = double(n) / std::max(1, use.steps - 1);
        const double s = p.noise * use.first * std::pow(use.last / use.first, ratio);
        const double ridge = 1 / (s * s);
        b.forward(x, samples);
        const MixtureSums sums = b.mixture_step(p.mixture, samples);
        const double mean_weight =
            std::max(least_mean_weight, sums.trusted / std::max(sums.weight, 1e-30));
        b.adjoint(samples, gradient);
        b.axpby(ridge, x, 1.0, gradient);
        b.axpby(-ridge, v, 1.0, gradient);
        b.axpby(0.0, gradient, -1.0, gradient);  // r <- -gradient
        b.inverse_diagonal(mean_weight * precision, 0.0, ridge, workspace.inverse_diagonal);
        conjugate_gradients(b, mean_weight * precision, 0.0, p.cg_steps, o.cg_tolerance, workspace,
                            gradient, x, ridge);
        denoise(x, use.noise_per_s * s, v);

        const bool last = n + 1 == use.steps;
        if (last) {
            b.copy(v, x);
            b.axpby(1 - use.share, start, use.share, x);
        }
        const typename B::Vector& image = last ? x : v;
        IterationReport row = summary.iterations.back();
        ++row.iteration;
        b.forward(image, samples);
        row.data = b.mixture_step(p.mixture, samples).cost;
        row.prior = o.objective.lambda * b.prior_cost(image, e);
        row.cost = row.data + row.prior;
        row.units += 3 + 2 * p.cg_steps;
        const double lap = clock.lap();
        row.seconds += lap;
        summary.x_seconds += lap;
        const bool go_on = monitor(row, [&] { return b.download(image); });
        summary.iterations.push_back(row);
        ++summary.denoiser_steps;
        clock.lap();
        if (!go_on) {
            summary.termination = Termination::cancelled;
            if (!last) b.copy(v, x);
            return;
        }
    }
}

}  // namespace plenosr
