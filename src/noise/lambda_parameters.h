#pragma once

// Constants of the rules for lambda (automatic_lambda.h). Noise is in grey levels, sigma_eff is the
// noise that is left in one pixel of the result, E = sum k^2 the energy of the blur.
//
// How sensitive the result is to lambda (docs/results.md, "Automatic lambda": x2, 25 views, five
// scenes of the 4D Light Field Benchmark, noise 1/1 to 50/20): the best of lambda times 0.5, 0.71,
// 1.41 and 2 gains at most 0.31 dB, and nothing in 15 of 25 cases.
namespace plenosr::lambda_rule {

inline constexpr double x2_blur_energy = 0.606;  // E of the default blur at x2: the unit of E

// ---- texture of the pilot -----------------------------------------------------------------------
// Mean difference of neighbours, per noise: 1.13 for independent pixels, but the pilot
// interpolates.
inline constexpr double noise_in_differences = 0.8;
inline constexpr double least_texture = 0.5;  // grey levels

// ---- l1 and l2 ----------------------------------------------------------------------------------
//   lambda = slope rho (model_error + per_noise sigma (typical_texture / texture)^texture_power)
// Chosen on boardgames and cotton and on four rendered scenes, then tried on dishes, vinyl and
// medieval2.
inline constexpr double l2_slope = 1.6;  // mean |d/dr lambda2 r^2| of normal noise: 2 sqrt(2/pi)
inline constexpr double model_error = 0.04;   // per sample: errors of disparity and visibility
inline constexpr double per_noise = 0.009;    // per sample and grey level of noise
inline constexpr double typical_texture = 4;  // grey levels
inline constexpr double texture_power = 0.7;

// ---- l1 and l2 of frames ------------------------------------------------------------------------
//   lambda = slope rho frames_level (sigma / (frames_noise sqrt(rho)))^(energy_power E +
//   least_power)
// Set on the centre views of boardgames and cotton, x2 and x3 with noise of 1 and 5, and revised
// once after a look at kodim08 and kodim19.
inline constexpr double frames_level = 0.26;
inline constexpr double frames_noise = 5;  // grey levels
inline constexpr double frames_least_noise = 0.5;
inline constexpr double frames_energy_power = 2.5;
inline constexpr double frames_least_power = 0.6;

// ---- mixture ------------------------------------------------------------------------------------
//   lambda = min(b^blur_power (offset + per_precision / sigma_eff), most_per_energy E max(1, n /
//   25))
//            (c b^texture_blur_power / texture)^h,      b = E / 0.606,  h = sigma_eff / (sigma_eff
//            + 2 b)
// Chosen on boardgames, cotton and the rendered scenes `planes` and `discs`. With one lambda for
// all scenes instead of the factor by texture, the loss was up to 1.1 dB (cotton wanted twice as
// much at 20/5, `planes` a third).
inline constexpr double offset = 0.03;         // from the prototype
inline constexpr double per_precision = 0.28;  // grey levels; from the prototype
inline constexpr double blur_power = 0.35;
inline constexpr double most_per_energy = 1.1;
inline constexpr double views_of_rule = 25;              // the rule was made with so many views
inline constexpr double mixture_texture = 4.5;           // c, grey levels
inline constexpr double mixture_texture_denoised = 3.5;  // c where a denoiser step follows
inline constexpr double texture_blur_power = 0.41;
inline constexpr double least_texture_ratio = 0.25;
inline constexpr double most_texture_ratio = 2.5;
inline constexpr double texture_half_noise = 2;  // sigma_eff / b at which h is one half

// ---- mixture of light fields, blur wider than the default of the scale
// --------------------------- Factor sqrt(E of the default blur / E), at most this. Chosen on the
// captures bikes, illum_field and friends_1 reduced x2 (E = 0.164) and on the random scenes 101 and
// 103 with a Gaussian of 0.8 and noise 1 and 2, where twice the lambda gains 0.1 and 0.6 to 0.9 dB
// in the mean, and 4 times as much no more. Motion blur of 9 pixels: 2 makes no difference, 2.7
// costs 0.4 dB.
inline constexpr double largest_blur_factor = 2;

// ---- mixture of frames --------------------------------------------------------------------------
// Chosen on kodim08, kodim19 and crops of two large photos, x2 and x3, noise of 1, and of 5 on
// kodim19; the factor for other priors after whole results of both large photos.
inline constexpr double frames_factor_level = 0.65;  // at sigma_eff = 1
inline constexpr double frames_factor_power = 0.3;
inline constexpr double frames_factor_blur_power = 0.17;

inline constexpr double least_weight = 1e-6;  // samples per pixel: avoids division by 0

}  // namespace plenosr::lambda_rule
