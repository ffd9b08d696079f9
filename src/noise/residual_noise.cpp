#include "noise/residual_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "light_field/interpolate.h"
#include "psf/blur_decimate.h"

namespace plenosr {
namespace {

// 1.4826 median |r| with `more` values that are missing, larger than the median; reorders the
// values.
double robust_sigma(std::vector<float>& values, double more) {
    const auto half = std::size_t(0.5 * (double(values.size()) + more));
    const auto middle = values.begin() + std::ptrdiff_t(std::min(half, values.size() - 1));
    std::nth_element(values.begin(), middle, values.end());
    return 1.4826 * double(*middle);
}

constexpr float visible_enough = 0.9F;
constexpr int rounds = 5;
constexpr std::size_t enough = 100;  // residuals without which an estimate would be a guess
constexpr int block_size = 8;        // low-resolution pixels
constexpr double most = 6e5;         // residuals kept one by one, about
constexpr int predicted_bins = 128;
constexpr int count_bins = 512;
constexpr int value_bins = 2048;
constexpr float bins_per_level = 24;  // up to 85 grey levels
constexpr double quietest_share = 0.02;
constexpr double quietest_deviates = 2.05;  // Phi(-2.05) = 0.02
constexpr double quiet_share = 0.2;         // of the blocks are taken to be free of model error

}  // namespace

ResidualNoise::ResidualNoise(int low_width, int low_height, std::size_t views,
                             const ValueLimits& limits)
    : limits_(limits),
      counts_(count_bins),
      blocks_across_(low_width / block_size + 1),
      histogram_(std::size_t(predicted_bins) * std::size_t(value_bins), 0) {
    const double all = double(views) * double(low_width) * double(low_height);
    stride_ = std::uint32_t(std::ceil(all / most));
}

std::size_t ResidualNoise::bytes(int low_width, int low_height, std::size_t views) {
    const double all = double(views) * double(low_width) * double(low_height);
    // 1.3: blocks are not chosen evenly
    return std::size_t(predicted_bins) * std::size_t(value_bins) * sizeof(std::uint32_t) +
           std::size_t(std::min(all, 1.3 * most)) * sizeof(Residual);
}

bool ResidualNoise::keeps(std::uint32_t block) const {
    return (block * 2654435761U >> 8) % stride_ == 0;  // scattered, without a pattern
}

double ResidualNoise::clipped(double predicted, double sigma) const {
    const auto below = [](double a) { return 0.5 * std::erfc(-a / std::sqrt(2.0)); };  // Phi
    const double s = std::max(sigma, 1.0);
    return below((limits_.low + 0.5 - predicted) / s) + below((predicted - limits_.high + 0.5) / s);
}

double ResidualNoise::sigma_beyond(double guard, double sigma) const {
    constexpr double step = 255.0 / predicted_bins;
    std::vector<double> counts(value_bins, 0.0);
    double all = 0;
    for (int p = 0; p < predicted_bins; ++p) {
        if (p * step < guard || (p + 1) * step > 255 - guard) continue;
        double seen = 0;
        for (int v = 0; v < value_bins; ++v) {
            const double count = histogram_[std::size_t(p * value_bins + v)];
            counts[std::size_t(v)] += count;
            seen += count;
        }
        all += seen / (1 - std::min(clipped((p + 0.5) * step, sigma), 0.5));
    }
    if (all < double(enough)) return -1;
    double below = 0;
    std::size_t bin = 0;
    while (bin + 1 < counts.size() && below + counts[bin] <= all / 2)
        below += counts[bin++];
    // within a bin the values lie evenly
    const double median = (double(bin) + (all / 2 - below) / counts[bin]) / bins_per_level;
    return 1.4826 * median;
}

double ResidualNoise::impulses(double sigma) const {
    double best = std::numeric_limits<double>::infinity();
    double fraction = 0;
    constexpr double most_clipped = 0.2;
    for (double tails = 0.9; tails < 1.31; tails += 0.02) {
        double along = 0;
        double square = 0;
        double left = 0;  // weighted sum of (seen - clipped)^2
        double all = 0;
        for (int i = 0; i < count_bins; ++i) {
            const Count& count = counts_[std::size_t(i)];
            const double predicted = (i + 0.5) * 255.0 / count_bins;
            const double usual = clipped(predicted, sigma);
            if (usual >= most_clipped || count.all == 0) continue;
            const double number = double(count.all);
            const double chance = clipped(predicted, tails * sigma);
            const double excess = double(count.extreme) / number - chance;
            const double weight = number / (usual + 0.01);
            along += weight * excess * (1 - chance);
            square += weight * (1 - chance) * (1 - chance);
            left += weight * excess * excess;
            all += number;
        }
        if (all < double(enough)) return 0;
        const double nu = std::max(0.0, along / square);
        const double misfit = left - 2 * nu * along + nu * nu * square;
        if (misfit >= best) continue;
        best = misfit;
        fraction = nu;
    }
    return fraction < 0.002 ? 0.0 : fraction;
}

void ResidualNoise::fit_photon_noise(NoiseEstimate& estimate) const {
    constexpr double step = 255.0 / predicted_bins;
    struct Point {
        double t;
        double variance;
        double count;
    };
    std::vector<Point> points;
    for (int p = 0; p < predicted_bins; ++p) {
        const double t = (p + 0.5) * step;
        const std::uint32_t* row = histogram_.data() + std::ptrdiff_t(p) * value_bins;
        // what was clipped lies above the median
        const auto bin = std::size_t(std::clamp(int(t * count_bins / 255.0), 0, count_bins - 1));
        double all = 0;
        for (std::size_t i = bin - bin % 4; i < bin - bin % 4 + 4; ++i)
            all += double(counts_[i].all);
        if (all < double(enough)) continue;
        double below = 0;
        int v = 0;
        while (v < value_bins - 1 && below + row[v] <= all / 2)
            below += row[v++];
        const double median =
            (v + (all / 2 - below) / std::max(1.0, double(row[v]))) / double(bins_per_level);
        const double sigma = 1.4826 * median;
        if (v == value_bins - 1 || t < 0.9 * sigma || 255 - t < 0.9 * sigma) continue;
        points.push_back({t, sigma * sigma, all});
    }
    if (points.size() < 3) {
        estimate.read = estimate.residual;
        return;
    }
    // Weighted least squares on variance = gain t + read^2, the spread of a variance being in
    // proportion to itself; again without what model error raised, and with neither below zero.
    double gain = 0;
    double floor = estimate.residual * estimate.residual;
    for (int round = 0; round < 2 * rounds; ++round) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double r0 = 0;
        double r1 = 0;
        for (const Point& p : points) {
            const double fitted = std::max(gain * p.t + floor, 0.1);
            const double excess = p.variance / fitted - 1;
            const double w = p.count / (fitted * fitted) / (1 + 16 * excess * excess);
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

Image ResidualNoise::blurred(const Image& pilot, const PsfGrid& psf) {
    return blur_decimate(channel(pilot, 0), psf, 1);
}

void ResidualNoise::add(const std::vector<Image>& views, const std::vector<ViewGeometry>& geometry,
                        const Image& blurred_pilot, int scale, const Box& core, int tile_x0,
                        int tile_y0) {
    for (std::size_t k = 0; k < views.size(); ++k) {
        const ViewGeometry& g = geometry[k];
        if (g.crop.trust < 1) continue;
        const int first_row = (tile_y0 + g.crop.y0) / scale;  // of the view
        const int first_col = (tile_x0 + g.crop.x0) / scale;
        for (int i = 0; i < views[k].height; ++i) {
            const int block_row = (first_row + i) / block_size;
            for (int j = 0; j < views[k].width; ++j) {
                const float y = views[k].at(i, j);
                if (g.visible.at(i, j) <= visible_enough) continue;
                const auto [px, py] = g.place(scale, i, j);
                if (px < core.x0 || px >= core.x1() || py < core.y0 || py >= core.y1()) continue;
                const float predicted = bilinear_at(blurred_pilot, px, py);
                const bool extreme = limits_.extreme(y);
                Count& count = counts_[std::size_t(
                    std::clamp(int(predicted * (count_bins / 255.0F)), 0, count_bins - 1))];
                ++count.all;
                if (extreme) {
                    ++count.extreme;
                    continue;
                }
                const float value = std::abs(y - predicted);
                if (predicted >= 0.0F && predicted <= 255.0F) {
                    const int p =
                        std::min(int(predicted * (predicted_bins / 255.0F)), predicted_bins - 1);
                    const int v = std::min(int(value * bins_per_level), value_bins - 1);
                    ++histogram_[std::size_t(p * value_bins + v)];
                }
                const auto block =
                    std::uint32_t(block_row * blocks_across_ + (first_col + j) / block_size);
                if (keeps(block)) residuals_.push_back({block, predicted, value});
            }
        }
    }
}

NoiseEstimate ResidualNoise::estimate() const {
    NoiseEstimate estimate;
    double sigma = 0;
    double guard = 0;
    for (int round = 0; round < rounds; ++round) {
        const double next_guard = std::min(1.5 * sigma, 100.0);
        const double next = sigma_beyond(next_guard, sigma);
        if (next < 0 && round == 0) return estimate;
        if (next < 0) break;  // all of the picture is near the limits
        guard = next_guard;
        sigma = next;
    }
    estimate.residual = std::max(sigma, 1.0);
    estimate.impulses = impulses(sigma);
    fit_photon_noise(estimate);

    // All residuals of a block side by side.
    std::vector<std::size_t> ends;
    const auto counts = [&](const Residual& r) {
        return double(r.predicted) >= guard && double(r.predicted) <= 255 - guard;
    };
    for (const Residual& r : residuals_) {
        if (std::size_t(r.block) + 1 >= ends.size()) ends.resize(std::size_t(r.block) + 2, 0);
        if (counts(r)) ++ends[std::size_t(r.block) + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    if (ends.empty()) ends.push_back(0);
    std::vector<std::size_t> place(ends.begin(), ends.end() - 1);
    std::vector<float> kept(ends.back());
    std::vector<double> clipped_away(ends.size(), 0.0);  // residuals that a block would have, too
    for (const Residual& r : residuals_) {
        if (!counts(r)) continue;
        kept[place[std::size_t(r.block)]++] = r.value;
        const double chance = std::min(clipped(double(r.predicted), sigma), 0.5);
        clipped_away[std::size_t(r.block)] += chance / (1 - chance);
    }
    std::vector<double> sigmas;
    std::vector<double> corrected;
    std::vector<float> block;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const std::size_t n = ends[i + 1] - ends[i];
        if (n < enough) continue;
        block.assign(kept.begin() + std::ptrdiff_t(ends[i]),
                     kept.begin() + std::ptrdiff_t(ends[i + 1]));
        sigmas.push_back(robust_sigma(block, 0.0));
        // 0.82 sigma / sqrt(n): by so much the robust value of n residuals scatters
        corrected.push_back(robust_sigma(block, clipped_away[i]) /
                            (1 - quietest_deviates * 0.82 / std::sqrt(double(n))));
    }
    std::sort(sigmas.begin(), sigmas.end());
    estimate.sensor =
        sigmas.empty() ? sigma : sigmas[std::size_t(quiet_share * double(sigmas.size()))];
    std::sort(corrected.begin(), corrected.end());
    estimate.quietest = corrected.empty()
                            ? sigma
                            : corrected[std::size_t(quietest_share * double(corrected.size()))];
    return estimate;
}

}  // namespace plenosr
