#pragma once

#include <cstddef>

// Constants of the noise estimate from residuals (residual_noise.h). Unless said otherwise they
// were chosen by reasoning, and checked on noise of known strength (sigma 5 and 20, with and
// without 10 % of impulses: tests/operators/disparity_test.cpp). They were not tuned for the
// result's quality. The prototype is an earlier implementation, run on scenes of the 4D Light Field
// Benchmark.
namespace plenosr::residual_noise {

// ---- histograms ---------------------------------------------------------------------------------
inline constexpr double value_range = 255;  // grey levels that the bins of predictions cover
inline constexpr int predicted_bins = 128;  // of predictions, for residuals: 2 grey levels each
inline constexpr int count_bins = 512;      // of predictions, for counts at a limit: 0.5 levels
inline constexpr int counts_per_predicted = count_bins / predicted_bins;
inline constexpr int residual_bins = 2048;   // of |r|
inline constexpr float bins_per_level = 24;  // |r| up to 85 grey levels; larger ones share a bin
inline constexpr int bins_beyond = 2;        // below 0 and above 255

// ---- which residuals count ----------------------------------------------------------------------
inline constexpr float visible_enough = 0.9F;         // visible fraction, as in the prototype
inline constexpr std::size_t fewest_residuals = 100;  // the spread of 100 values errs by 12 %
inline constexpr int rounds = 5;                // of sigma -> guard -> sigma, as in the prototype
inline constexpr double guard_sigmas = 1.5;     // from the prototype; there 7 % of noise is clipped
inline constexpr double largest_guard = 100;    // grey levels: leaves the middle fifth of 0 … 255
inline constexpr double largest_clipped = 0.5;  // fraction that is corrected for, at most

// ---- blocks of samples --------------------------------------------------------------------------
inline constexpr int block_size = 8;          // low-resolution pixels
inline constexpr double most_kept = 6e5;      // residuals kept one by one: 7 MB
inline constexpr double uneven_blocks = 1.3;  // hashing chooses up to so many times more blocks
// Quantile for `sensor`: one block in five is taken to be free of model error. Introduced together
// with the rule for lambda, whose constants were chosen with it (lambda_parameters.h).
inline constexpr double sensor_quantile = 0.2;
// Quantile for `quietest`, with the deviate Phi^-1(0.02) by which it lies too low by chance.
inline constexpr double quietest_quantile = 0.02;
inline constexpr double quietest_deviate = 2.05;
// The value of a block of n residuals scatters by 0.82 sigma / sqrt(n). Where this factor comes
// from is not recorded; theory gives 1.17 for independent normal residuals.
inline constexpr double spread_of_sigma = 0.82;

// ---- fraction of impulses -----------------------------------------------------------------------
inline constexpr double most_clipped = 0.2;     // c from which predictions are left out of the fit
inline constexpr double narrowest_tails = 0.9;  // sigma in c, times the estimate
inline constexpr double widest_tails = 1.31;
inline constexpr double tails_step = 0.02;
inline constexpr double clipped_floor = 0.01;     // added to c in the weights of the fit
inline constexpr double fewest_impulses = 0.002;  // below: 0, as in the prototype

// ---- photon noise -------------------------------------------------------------------------------
inline constexpr double photon_guard = 0.9;      // spreads: distance of a prediction from a limit
inline constexpr std::size_t fewest_points = 3;  // predictions: two parameters are fitted
inline constexpr int photon_rounds = 10;         // of reweighting
inline constexpr double least_variance = 0.1;    // squared grey levels: avoids division by 0
inline constexpr double outlier_strength = 16;   // weight 1 / (1 + 16 e^2), e the relative excess

}  // namespace plenosr::residual_noise
