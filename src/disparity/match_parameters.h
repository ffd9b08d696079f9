#pragma once

// Constants of matching (match_settings.h). They were compared by the mean over boardgames, cotton,
// dishes, medieval2 and vinyl of the 4D Light Field Benchmark (5 x 5 views, x2 and x4, noise 0/0 to
// 50/20; error of the map and PSNR of the result). No scene was held back. The starting values came
// from a prototype. Lengths are in pixels of the views, noise and costs in grey levels.
namespace plenosr::match_rule {

// A value for little noise, for sigma = 20 and for sigma = 50; linear between them.
struct ByNoise {
    double little, some, much;
};
inline constexpr double little_noise = 3;
inline constexpr double some_noise = 20;
inline constexpr double much_noise = 50;

// Sigma of the Gaussian that smooths the views before matching. Aliased views bias matching between
// pixels: from no smoothing to this the prototype's super-resolved vinyl went from 35.9 to 40.2 dB
// at x2 and from 28.1 to 32.9 dB at x4. Too much hurts: dishes x4 has 29.62 dB at 0.6, 28.98
// at 1.3.
inline constexpr double smoothing_full_size = 0.5;   // little noise, views that are not aliased
inline constexpr double smoothing_aliased = 0.65;    // and per unit of the scale:
inline constexpr double smoothing_per_scale = 0.05;  // 0.75 at x2, 0.85 at x4
inline constexpr double most_aliased_smoothing = 0.9;
inline constexpr double smoothing_noisy = 1.5;         // from sigma = 20 on
inline constexpr double smoothing_noisy_coarse = 1.2;  // the same at x3 and more, at sigma = 20

inline constexpr int coarse_scale = 3;        // from here on a window covers much of the scene
inline constexpr double window_factor = 1.5;  // of windows below that scale

inline constexpr double squared_loss_from = 8;  // noise from which the squared loss matches better
inline constexpr double least_noise = 0.5;      // after smoothing
inline constexpr double least_truncation = 12;  // tau; the prototype's value for low noise
inline constexpr double truncation_per_noise = 4;
inline constexpr ByNoise window = {2, 4, 6};  // radius of the guided filter; the last two times
                                              // window_factor
inline constexpr double least_epsilon = 4;    // variance of the guide that counts as flat
inline constexpr double epsilon_per_variance = 2;
// P1 and P2, as fractions of median(mean cost - least cost).
inline constexpr ByNoise small_jump = {0.0625, 0.125, 0.1875};
inline constexpr ByNoise large_jump = {1, 2, 2.5};
inline constexpr double least_edge = 6;  // difference of the guide that halves P2
inline constexpr double edge_per_noise = 2;
// Radius of the median that moves the map's edges to the guide's, for scale 1, 2, and more.
inline constexpr int median_radius_x1 = 7;
inline constexpr int median_radius_x2 = 4;
inline constexpr int median_radius_coarse = 3;

}  // namespace plenosr::match_rule
