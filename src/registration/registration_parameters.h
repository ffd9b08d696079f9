#pragma once

#include <algorithm>
#include <cstddef>

// Constants of registration. Lengths are in pixels of the frames, spreads in grey levels. Unless
// said otherwise a value was chosen by reasoning. Sensitivity, as the largest error of a registered
// shift on kodim08 and kodim19, x2 and x3, in thousandths of a pixel, without noise | with noise of
// 10 and 5 % of impulses. With the values below: 12.5 | 14.1. With half and twice a value:
//   first_smoothing  12.4, 12.1 | 19.2, 13.9
//   tukey_cut        14.4, 11.5 | 17.4, 14.9
//   fit_radius       19.8, 36.5 | 19.1, 48.5
//   joint_pixels_per_step  9.2, 12.5 | 13.3, 14.1
// No change above 0.1: level_smoothing, least_spread, phase_cutoff, pixels_per_step,
// converged_move, gap_weight.
namespace plenosr::registration {

// ---- robust weights -----------------------------------------------------------------------------
inline constexpr double tukey_cut = 4.685;   // spreads: 95 % efficiency in normal noise
inline constexpr double least_spread = 0.5;  // rounding to whole grey levels alone has 0.29
inline double residual_cut(double spread) {
    return tukey_cut * std::max(spread, least_spread);
}

// ---- pyramid ------------------------------------------------------------------------------------
// Aliases lie near the highest frequencies and bias fractional shifts, hence the first smoothing.
inline constexpr double first_smoothing = 1.2;
inline constexpr double level_smoothing = 1.0;  // before each reduction by 2
inline constexpr int smallest_level = 32;       // shorter side, at least

// ---- alignment, coarse to fine ------------------------------------------------------------------
inline constexpr int largest_phase_level = 256;  // longer side: bounds the time of the transform
inline constexpr double phase_cutoff = 0.15;     // cycles per pixel: beyond lie noise and aliases
inline constexpr double least_phase_overlap = 0.1;  // fraction of the frame
inline constexpr double pixels_per_step = 3e5;      // more gain nothing
inline constexpr double pixels_for_spread = 2e4;
inline constexpr int align_border = 2;                 // pixels without a full neighbourhood
inline constexpr int most_steps = 20;                  // per level
inline constexpr double converged_move = 5e-4;         // pixels of a corner, on the finest level
inline constexpr double converged_move_coarse = 1e-2;  // on the others
inline constexpr double pixels_per_unknown = 16;       // fewer do not determine a step

// ---- the choice of a model ----------------------------------------------------------------------
inline constexpr int smallest_block = 16;
inline constexpr int most_blocks_across = 32;
inline constexpr double least_block_share = 0.5;   // of a block's pixels that count
inline constexpr double least_information = 0.01;  // squared grey levels per pixel, per pixel
inline constexpr std::size_t fewest_blocks = 16;   // too few to distinguish models
inline constexpr double least_position_error = 2e-3;
inline constexpr double huber_chi = 2;  // standard deviations of a block
inline constexpr double displaced_chi = 6;
inline constexpr double displaced_px = 0.4;
inline constexpr double largest_judged_error = 0.3;
// Flow has two unknowns for each small neighbourhood; it is tried if many blocks are displaced, and
// taken if the residual falls.
inline constexpr double least_displaced = 0.15;  // fraction of the blocks
inline constexpr double flow_residual_ratio = 0.85;

// ---- joint refinement against all frames --------------------------------------------------------
// The window's radius was chosen on both Kodak photos and the rendered scene `planes`, with shifts
// on a regular grid: on `planes` the error falls from 0.047 to 0.018 pixels. With uneven shifts the
// local fits are biased: nine random shifts of kodim08, portrait and kleiber have errors (rms) of
// 0.021, 0.016 and, with a moving object, 0.099 pixels instead of 0.007, 0.004 and 0.006.
inline constexpr double least_lattice_fit = 0.7;  // errors of 0.06 pixels leave 0.75 for m = 2
// Pixels, root mean square along one axis. The joint refinement errs by 0.004 to 0.013 pixels on
// photos and 0.018 on hard edges. A simulated jitter of 0.02 pixels is more than this.
inline constexpr double exact_lattice = 0.02;
inline constexpr int joint_sweeps = 3;
inline constexpr double joint_pixels_per_step = 4e4;
inline constexpr double largest_correction = 0.3;  // the first registration is better than that
inline constexpr int joint_border = 3;
inline constexpr double least_fit_radius = 0.4;
inline constexpr double fit_radius = 1.7;  // divided by the square root of the frames
inline constexpr double gap_radius = 1.4;  // of a second window for gaps between samples
inline constexpr double gap_weight = 1e-3;
inline constexpr double least_fit_determinant = 1e-6;  // pixels^4: samples on a line fix no slope

// ---- dense flow ---------------------------------------------------------------------------------
inline constexpr double flow_window = 4;   // sigma of G
inline constexpr double flow_robust = 10;  // c, grey levels
inline constexpr double flow_ridge = 1;    // squared grey levels per pixel: flat places keep the
                                           // flow of the coarser level
inline constexpr double longest_flow_step = 1;
inline constexpr int flow_steps = 5;  // per level
inline constexpr int flow_median_radius = 2;
inline constexpr int smallest_flow_level = 48;  // shorter side: smaller levels are mostly border

// ---- photometry ---------------------------------------------------------------------------------
inline constexpr int brightness_blocks_across = 12;
inline constexpr double photometry_sigmas = 4;     // of the chi-squared distribution of the misfit
inline constexpr double photometry_block_cut = 2;  // of Tukey's cut: other scenes and objects
inline constexpr double least_brightness_error = 0.02;  // grey levels, of a block's mean

// ---- outliers among the frames ------------------------------------------------------------------
inline constexpr double pixels_for_residual = 1e5;
inline constexpr int photometry_rounds = 5;
inline constexpr double least_relative_variance = 1e-6;  // flat frames fix no gain
inline constexpr double least_overlap = 0.1;             // fraction of the frame
inline constexpr double outlier_factor = 2.5;            // times the typical residual,
inline constexpr double outlier_offset = 1.0;            // and so many grey levels more
inline constexpr double least_typical_residual = 1.0;  // grey levels, for the weight of an outlier
inline constexpr std::size_t reference_probes = 3;     // frames registered to one another
inline constexpr std::size_t reference_witnesses = 5;  // frames registered to the best of them

}  // namespace plenosr::registration
