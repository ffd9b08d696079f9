#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "plenosr/reconstruct.h"
#include "problem/mixture.h"
#include "solver/solver_parameters.h"

namespace plenosr {

// Weights of the objective  lambda1 sum m|r| + lambda2 sum m r^2 + lambda sum w_d e |S_d x|.
struct Objective {
    double lambda1 = 1;
    double lambda2 = 0.01;
    double lambda = 0.06;
    std::optional<Mixture> mixture = {};  // replaces the terms of lambda1 and lambda2
};

// The denoiser steps (solver/plug_and_play.h).
struct PlugAndPlay {
    Denoiser denoiser = Denoiser::bm3d;
    Mixture mixture;
    double noise = 0;  // that remains in a pixel, grey levels
    double part = 1;   // from 0 to 1: `use.share` over that of strong noise
    DenoiserSteps use = bm3d_steps;
    int cg_steps = plug_and_play_cg_steps;
    DenoiserFunction function = {};  // instead of `denoiser`, if it is set
};

inline constexpr int every_iteration = std::numeric_limits<int>::max();

struct SolveOptions {
    Objective objective;
    std::optional<PlugAndPlay> plug_and_play = {};
    int iterations = 8;
    bool weights = false;  // Solution::weights is computed
    double tolerance = 0;  // stop when |x - x_old| <= tolerance |x|; 0: never
    double least_change =
        0;  // stop when the RMS of x - x_old is at most this, grey levels; 0: never
    int reweights = every_iteration;  // number of iterations in which e is recomputed from x

    // admm
    int cg_steps = admm_cg_steps;
    double cg_tolerance = cg_relative_tolerance;
    double relax = admm_relaxation;
    double data_threshold = admm_data_threshold;    // grey levels
    double prior_threshold = admm_prior_threshold;  // grey levels

    // gd
    double first_step = gradient_first_step;  // grey levels
};

struct SolveSummary {
    Termination termination = Termination::not_run;
    std::vector<IterationReport> iterations;
    int denoiser_steps = 0;    // number of rows at the end of `iterations` that are denoiser steps
    double last_change = 0;    // RMS of x - x_old, grey levels; 0 if no tolerance is given
    double setup_seconds = 0;  // making the operators; set by the engine
    double build_seconds = 0;  // compiling kernels; set by the OpenCL engine
    double zw_seconds = 0;     // z-steps, dual steps and right-hand sides
    double x_seconds = 0;      // x-steps
};

// Called with the newest row of SolveSummary::iterations; `image` fetches the current x. May set
// psnr and ssim of the row. Returns false to cancel. Its time is not counted.
using Monitor =
    std::function<bool(IterationReport&, const std::function<std::vector<float>()>& image)>;

// Why a solver ends after `row`; not_run: it goes on.
inline Termination termination_of(const IterationReport& row, bool go_on, bool converged,
                                  int iterations) {
    if (!std::isfinite(row.cost)) return Termination::diverged;
    if (!go_on) return Termination::cancelled;
    if (converged) return Termination::converged;
    return row.iteration == iterations ? Termination::max_iterations : Termination::not_run;
}

class Stopwatch {
public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    double lap() {  // seconds since the last lap
        const double now = seconds();
        const double result = now - last_;
        last_ = now;
        return result;
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double last_ = 0;
};

}  // namespace plenosr
