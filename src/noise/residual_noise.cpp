#include "noise/residual_noise.h"

#include <cmath>
#include <numeric>

#include "base/median.h"
#include "light_field/interpolate.h"
#include "noise/histogram_median.h"
#include "noise/residual_noise_parameters.h"
#include "psf/blur_decimate.h"

namespace plenosr {

using namespace residual_noise;

namespace {

// 1.4826 median |r|; `missing` values are counted as larger than the median. Reorders the values.
double robust_sigma(std::vector<float>& values, double missing) {
    const auto half = std::size_t(0.5 * (double(values.size()) + missing));
    return sigma_per_median * double(value_of_rank(values, std::min(half, values.size() - 1)));
}

// The value that the share `quantile` of the values stays below; `otherwise` if there are none.
double quantile_of(std::vector<double>& values, double quantile, double otherwise) {
    if (values.empty()) return otherwise;
    return value_of_rank(values, std::size_t(quantile * double(values.size())));
}

}  // namespace

ResidualNoise::ResidualNoise(int low_width, int low_height, std::size_t views,
                             const ValueLimits& limits)
    : limits_(limits),
      counts_(count_bins + bins_beyond),
      blocks_across_(low_width / block_size + 1),
      histogram_(std::size_t(predicted_bins + bins_beyond) * std::size_t(residual_bins), 0) {
    const double all = double(views) * double(low_width) * double(low_height);
    stride_ = std::uint32_t(std::ceil(all / most_kept));
}

std::size_t ResidualNoise::bytes(int low_width, int low_height, std::size_t views) {
    const double all = double(views) * double(low_width) * double(low_height);
    return std::size_t(predicted_bins + bins_beyond) * std::size_t(residual_bins) *
               sizeof(std::uint32_t) +
           std::size_t(std::min(all, uneven_blocks * most_kept)) * sizeof(Residual);
}

bool ResidualNoise::keeps(std::uint32_t block) const {
    return (block * 2654435761U >> 8) % stride_ == 0;  // a hash: blocks without a pattern
}

bool ResidualNoise::away_from_limits(double from, double to, double guard) const {
    return from >= limits_.low + guard && to <= limits_.high - guard;
}

int ResidualNoise::bin_of(float predicted, int bins) const {
    if (predicted < 0.0F && !limits_.has_low()) return bins;
    if (predicted > float(value_range) && !limits_.has_high()) return bins + 1;
    const float place = predicted * (float(bins) / float(value_range));
    return int(std::clamp(place, 0.0F, float(bins - 1)));
}

std::span<const std::uint32_t> ResidualNoise::residuals_at(int predicted_bin) const {
    return std::span(histogram_)
        .subspan(std::size_t(predicted_bin) * std::size_t(residual_bins), residual_bins);
}

double ResidualNoise::clipped(double predicted, double sigma) const {
    const auto below = [](double a) { return 0.5 * std::erfc(-a / std::sqrt(2.0)); };  // Phi
    const double s = std::max(sigma, 1.0);
    return below((limits_.low + 0.5 - predicted) / s) + below((predicted - limits_.high + 0.5) / s);
}

double ResidualNoise::sigma_beyond(double guard, double sigma) const {
    constexpr double step = value_range / predicted_bins;
    std::vector<double> counts(residual_bins, 0.0);
    double all = 0;  // with those that were clipped
    const auto add_row = [&](int row, double clipped_fraction) {
        double seen = 0;
        const auto residuals = residuals_at(row);
        for (std::size_t v = 0; v < residuals.size(); ++v) {
            const double count = residuals[v];
            counts[v] += count;
            seen += count;
        }
        all += seen / (1 - clipped_fraction);
    };
    for (int p = 0; p < predicted_bins; ++p)
        if (away_from_limits(p * step, (p + 1) * step, guard))
            add_row(p, std::min(clipped((p + 0.5) * step, sigma), largest_clipped));
    for (int beyond = 0; beyond < bins_beyond; ++beyond)
        add_row(predicted_bins + beyond, 0);
    if (all < double(fewest_residuals)) return -1;
    return sigma_per_median * (histogram_median(counts, all) / double(bins_per_level));
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
                if (g.visible.at(i, j) <= visible_enough || g.rejects(i, j)) continue;
                const auto [px, py] = g.place(scale, i, j);
                if (px < core.x0 || px >= core.x1() || py < core.y0 || py >= core.y1()) continue;
                const float predicted = bilinear_at(blurred_pilot, px, py);
                if (!std::isfinite(predicted)) continue;  // the blur of huge values overflows
                Count& count = counts_[std::size_t(bin_of(predicted, count_bins))];
                ++count.all;
                if (limits_.extreme(y)) {
                    ++count.extreme;
                    continue;
                }
                const float value = std::abs(y - predicted);
                const int p = bin_of(predicted, predicted_bins);
                if (p >= predicted_bins || (predicted >= 0.0F && predicted <= float(value_range))) {
                    const auto v =
                        std::size_t(std::min(value * bins_per_level, float(residual_bins - 1)));
                    ++histogram_[std::size_t(p) * std::size_t(residual_bins) + v];
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
        const double next_guard = std::min(guard_sigmas * sigma, largest_guard);
        const double next = sigma_beyond(next_guard, sigma);
        if (next < 0 && round == 0) return estimate;
        if (next < 0) break;  // the whole image is near the limits
        guard = next_guard;
        sigma = next;
    }
    estimate.residual = std::max(sigma, 1.0);
    estimate.impulses = impulses(sigma);
    fit_photon_noise(estimate);
    estimate_from_blocks(guard, sigma, estimate);
    return estimate;
}

void ResidualNoise::estimate_from_blocks(double guard, double sigma,
                                         NoiseEstimate& estimate) const {
    const auto counts = [&](const Residual& r) {
        return away_from_limits(double(r.predicted), double(r.predicted), guard);
    };
    // Sort the residuals by block: `ends` are the places where the blocks begin and end.
    std::vector<std::size_t> ends;
    for (const Residual& r : residuals_) {
        if (std::size_t(r.block) + 1 >= ends.size()) ends.resize(std::size_t(r.block) + 2, 0);
        if (counts(r)) ++ends[std::size_t(r.block) + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    if (ends.empty()) ends.push_back(0);
    std::vector<std::size_t> place(ends.begin(), ends.end() - 1);
    std::vector<float> kept(ends.back());
    std::vector<double> missing(ends.size(), 0.0);  // residuals of a block that were clipped
    for (const Residual& r : residuals_) {
        if (!counts(r)) continue;
        kept[place[std::size_t(r.block)]++] = r.value;
        const double chance = std::min(clipped(double(r.predicted), sigma), largest_clipped);
        missing[std::size_t(r.block)] += chance / (1 - chance);
    }
    std::vector<double> sigmas;
    std::vector<double> corrected;
    std::vector<float> block;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const std::size_t n = ends[i + 1] - ends[i];
        if (n < fewest_residuals) continue;
        block.assign(kept.begin() + std::ptrdiff_t(ends[i]),
                     kept.begin() + std::ptrdiff_t(ends[i + 1]));
        sigmas.push_back(robust_sigma(block, 0.0));
        corrected.push_back(robust_sigma(block, missing[i]) /
                            (1 - quietest_deviate * spread_of_sigma / std::sqrt(double(n))));
    }
    estimate.sensor = quantile_of(sigmas, sensor_quantile, sigma);
    estimate.quietest = quantile_of(corrected, quietest_quantile, sigma);
}

}  // namespace plenosr
