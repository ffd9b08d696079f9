#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "plenosr/reconstruct.h"
#include "problem/mixture.h"

namespace plenosr {

// Weights of the objective  lambda1 sum m|r| + lambda2 sum m r^2 + lambda sum w_d e |S_d x|.
struct Objective {
    double lambda1 = 1;
    double lambda2 = 0.01;
    double lambda = 0.06;
    std::optional<Mixture> mixture = {};  // instead of the terms of lambda1 and lambda2
};

// The denoiser step (solver/plug_and_play.h): noise levels, in grey levels, that the denoiser is
// told from its first to its last step.
struct PlugAndPlay {
    Denoiser denoiser = Denoiser::bm3d;
    Mixture mixture;
    double first_noise = 0;
    double last_noise = 0;
    int steps = 4;
    int cg_steps = 8;
    double share = 0.5;  // of its result in the average
};

inline constexpr int every_iteration = std::numeric_limits<int>::max();

struct SolveOptions {
    Objective objective;
    std::optional<PlugAndPlay> plug_and_play = {};
    int iterations = 8;
    bool weights = false;     // the prior's weights are wanted
    double tolerance = 0;     // stop when |x - x_old| <= tolerance |x|; 0: never
    double least_change = 0;  // … or when its root mean square, grey levels, is at most this
    int reweights = every_iteration;  // e is recomputed from x in the first so many iterations

    // admm
    int cg_steps = 5;
    double cg_tolerance = 1e-4;  // of the preconditioned residual, relative
    double relax = 1.7;          // reaches in 5 iterations what 1.0 reaches in 10
    // Grey levels at which the penalties' thresholds lie: theta1 = lambda1 / data_threshold,
    // theta2 = lambda max(w) / prior_threshold. 8-10 converges 2-4 times faster than 3; 30 loses
    // 0.3 dB.
    double data_threshold = 20;
    double prior_threshold = 8.6;

    // gd: the fixed step moves the first image by this much (grey levels, root mean square). Large
    // steps stop short of the minimum, small ones are slow; about a tenth of the noise is right.
    double first_step = 0.5;
};

struct SolveSummary {
    Termination termination = Termination::not_run;
    std::vector<IterationReport> iterations;
    int denoiser_steps = 0;    // the last rows of the table
    double last_change = 0;    // root mean square, grey levels; where it is looked at
    double setup_seconds = 0;  // making the operators, filled in by the engine
    double build_seconds = 0;  // compiling kernels, where there are any
    double zw_seconds = 0;
    double x_seconds = 0;
};

// Called with the table's newest row; `image` fetches the current planes. May fill in psnr and
// ssim. Returns false to cancel. Its time is not counted.
using Monitor =
    std::function<bool(IterationReport&, const std::function<std::vector<float>()>& image)>;

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
