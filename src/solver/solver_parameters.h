#pragma once

// Tuned numbers of the solvers, one block per rule. Grey levels are those of 0 … 255.
namespace plenosr {

// ---- ADMM (admm.h). Chosen on the HCI scenes boardgames and cotton (docs/mathematics.md §4).
// Over-relaxation alpha, no unit. 1.7 reaches in 5 iterations the cost that 1.0 reaches in 10.
inline constexpr double admm_relaxation = 1.7;
// Grey levels: theta1 = lambda1 / threshold. 20 suits strong noise and impulses; at sigma = 1
// without impulses a threshold of 5 needs half of the work (vinyl x2, 25 views, until the cost is
// within 1 %), which auto_parameters.cpp uses.
inline constexpr double admm_data_threshold = 20;
// Grey levels: theta2 = lambda max(w) / threshold. 8 … 10 converges 2 … 4 times faster than 3; 30
// loses 0.3 dB after the default number of iterations.
inline constexpr double admm_prior_threshold = 8.6;
// Iterations during which the weights e and the robustness still change: the test for convergence
// begins afterwards. Follows from first_robustness (2 iterations) and from the 3 reweights of
// auto_parameters.cpp.
inline constexpr int admm_settling_iterations = 3;

// ---- Mixtures (admm.h, plug_and_play.h)
// Huber's distance starts at this multiple of its own and halves in every iteration. At the blurred
// start its weight would be small along all edges and the steps too short there
// (docs/mathematics.md §2, The mixture).
inline constexpr double first_robustness = 4;
// Lower bound of the mean weight sum(m omega) / sum(m) that scales A'MA, no unit: limits the step
// to twice that of a data term without outliers. Chosen by reasoning, not tuned.
inline constexpr double least_mean_weight = 0.5;

// ---- Conjugate gradients (cg.h)
// Steps per x-step. 2 need the fewest units at x2 (vinyl); at x4, where the blur is wider, 5 give
// 0.2 dB more on boardgames after the same work. problem/model.cpp chooses.
inline constexpr int admm_cg_steps = 5;
// Relative decrease of sqrt(<r, Z r>) at which steps end. Chosen by reasoning: far below what the
// few steps above reach, so that it only prevents a division by zero.
inline constexpr double cg_relative_tolerance = 1e-4;

// ---- Denoiser (plug_and_play.h, auto_parameters.cpp)
inline constexpr int plug_and_play_cg_steps = 8;

// How a denoiser is used. Levels are in multiples of the noise that remains in a pixel.
struct DenoiserSteps {
    int steps;
    double first, last;  // s of the first and of the last step
    double noise_per_s;  // noise level that the denoiser gets, divided by s
    double share;        // of the denoised image in the average with the variational result, whose
                         // error differs: the average has a smaller error than either
};
// Chosen on the random scenes 1 to 6 at x2, noise 10/0, 20/5 and 50/20. Compared with four steps
// from 2.5 to 1, noise_per_s = 1 and share = 0.5, two steps gain 0 to 0.35 dB there. With
// noise_per_s = 0.55 or 0.65: -0.05 to -0.5 dB; s from 2.5 to 2: -0.05 to -0.15 dB. Smooth scenes
// in strong noise (cotton 50/0) would gain with a larger noise_per_s.
inline constexpr DenoiserSteps bm3d_steps{2, 1.7, 1.2, 0.8, 0.75};
// After a blur that is wider than usual for the scale; `first` is the least, see
// auto_parameters.cpp. Chosen on the captures bikes, illum_field and friends_1 reduced x2 and on
// the random scenes 101 and 103, x2 with a Gaussian of 0.8 and with motion blur: against the two
// steps above they gain 0.2 to 0.3, 0.5 and 0.8 dB in the mean.
inline constexpr DenoiserSteps deblurring_steps{4, 2.5, 1.5, 0.8, 0.75};
// Non-local means smooth by the given noise level even where there is little noise. Chosen on the
// HCI scenes at x2, noise 20/0 to 50/20.
inline constexpr DenoiserSteps nlm_steps{4, 0.75, 0.3, 1, 0.5};

// ---- Gradient descent (gradient_descent.h)
// Root mean square change of the first step, grey levels. Large steps stop short of the minimum,
// small ones are slow; a tenth of the noise is right, which auto_parameters.cpp uses.
inline constexpr double gradient_first_step = 0.5;
// Armijo's condition: the cost must fall by this fraction of step |gradient|^2. The usual value.
inline constexpr double armijo_decrease = 1e-4;
// Halvings after which no step lowers the cost: 2^-40 is below the resolution of floats.
inline constexpr int most_halvings = 40;

}  // namespace plenosr
