// The fraction of impulses and the photon noise, fitted to the histograms of ResidualNoise.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/parameters.h"
#include "noise/histogram_median.h"
#include "noise/residual_noise.h"
#include "noise/residual_noise_parameters.h"

namespace plenosr {

using namespace residual_noise;

double ResidualNoise::impulses(double sigma) const {
    double best = std::numeric_limits<double>::infinity();
    double fraction = 0;
    for (double tails = narrowest_tails; tails < widest_tails; tails += tails_step) {
        double along = 0;
        double square = 0;
        double left = 0;  // weighted sum of (seen - clipped)^2
        double all = 0;
        for (int i = 0; i < count_bins + bins_beyond; ++i) {
            const Count& count = counts_[std::size_t(i)];
            const double predicted = (i + 0.5) * value_range / count_bins;
            const bool beyond = i >= count_bins;  // of a disabled limit: far from any other
            const double expected = beyond ? 0.0 : clipped(predicted, sigma);
            if (expected >= most_clipped || count.all == 0) continue;
            const double number = double(count.all);
            const double chance = beyond ? 0.0 : clipped(predicted, tails * sigma);
            const double excess = double(count.extreme) / number - chance;
            const double weight = number / (expected + clipped_floor);
            along += weight * excess * (1 - chance);
            square += weight * (1 - chance) * (1 - chance);
            left += weight * excess * excess;
            all += number;
        }
        if (all < double(fewest_residuals)) return 0;
        const double nu = std::max(0.0, along / square);
        const double misfit = left - 2 * nu * along + nu * nu * square;
        if (misfit >= best) continue;
        best = misfit;
        fraction = nu;
    }
    return fraction < fewest_impulses ? 0.0 : fraction;
}

void ResidualNoise::fit_photon_noise(NoiseEstimate& estimate) const {
    constexpr double step = value_range / predicted_bins;
    constexpr double largest_median = (residual_bins - 1) / double(bins_per_level);
    struct Point {
        double t;
        double variance;
        double count;
    };
    std::vector<Point> points;
    for (int p = 0; p < predicted_bins; ++p) {
        const double t = (p + 0.5) * step;
        // All samples count, those at a limit too: they were clipped, and lie above the median.
        double all = 0;
        for (int i = 0; i < counts_per_predicted; ++i)
            all += double(counts_[std::size_t(p * counts_per_predicted + i)].all);
        if (all < double(fewest_residuals)) continue;
        const double median = histogram_median(residuals_at(p), all) / double(bins_per_level);
        const double sigma = sigma_per_median * median;
        if (median >= largest_median || t - limits_.low < photon_guard * sigma ||
            limits_.high - t < photon_guard * sigma)
            continue;
        points.push_back({t, sigma * sigma, all});
    }
    if (points.size() < fewest_points) {
        estimate.read = estimate.residual;
        return;
    }
    // Weighted least squares for variance = gain t + read^2. The spread of a variance is in
    // proportion to itself. Reweighting leaves out the points that model error raised; neither gain
    // nor read^2 may become negative.
    double gain = 0;
    double floor = estimate.residual * estimate.residual;
    for (int round = 0; round < photon_rounds; ++round) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double r0 = 0;
        double r1 = 0;
        for (const Point& p : points) {
            const double fitted = std::max(gain * p.t + floor, least_variance);
            const double excess = p.variance / fitted - 1;
            const double w = p.count / (fitted * fitted) / (1 + outlier_strength * excess * excess);
            s0 += w, s1 += w * p.t, s2 += w * p.t * p.t;
            r0 += w * p.variance, r1 += w * p.t * p.variance;
        }
        const double determinant = s0 * s2 - s1 * s1;
        gain = determinant > 0 ? (s0 * r1 - s1 * r0) / determinant : 0.0;
        floor = determinant > 0 ? (s2 * r0 - s1 * r1) / determinant : r0 / s0;
        if (floor < 0) floor = 0, gain = r1 / s2;
        if (gain < 0) gain = 0, floor = r0 / s0;
    }
    estimate.gain = gain;
    estimate.read = std::sqrt(floor);
}

}  // namespace plenosr
