#include "problem/mean_weight.h"

#include <algorithm>
#include <cmath>

#include "plenosr/psf.h"
#include "problem/geometry.h"
#include "problem/patch_weight.h"

namespace plenosr {
namespace {

constexpr double bins_per_level = 8;
constexpr int bins = 3200;  // spreads up to 400 grey levels (8-bit data: at most 1.4826 * 255);
                            // larger ones share the last bin

constexpr int border = SmoothPlane::border;

// G_1 * image with a border on each side; the image is continued by its border pixels.
Image smoothed_with_border(const Image& image) {
    const Psf psf = gaussian_psf(1.0);
    const int radius = psf.kernel.width / 2;
    std::vector<float> taps(std::size_t(2 * radius + 1), 0.0F);
    for (int i = 0; i <= 2 * radius; ++i)
        for (int j = 0; j <= 2 * radius; ++j)
            taps[std::size_t(i)] += psf.kernel.at(j, i);
    const int width = image.width + 2 * border;
    Image across(width, image.height);
    std::vector<float> line(std::size_t(width + 2 * radius));
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < width + 2 * radius; ++x)
            line[std::size_t(x)] = image.at(y, std::clamp(x - radius - border, 0, image.width - 1));
        float* row = &across.at(y, 0);
        for (int t = 0; t <= 2 * radius; ++t)
            for (int x = 0; x < width; ++x)
                row[x] += taps[std::size_t(t)] * line[std::size_t(x + t)];
    }
    Image out(width, image.height + 2 * border);
    for (int y = 0; y < out.height; ++y)
        for (int t = 0; t <= 2 * radius; ++t) {
            const float* from =
                &across.at(std::clamp(y - border + t - radius, 0, image.height - 1), 0);
            float* row = &out.at(y, 0);
            for (int x = 0; x < width; ++x)
                row[x] += taps[std::size_t(t)] * from[x];
        }
    return out;
}

}  // namespace

MeanWeight::MeanWeight(const PriorWeights& weights, std::vector<Direction> directions)
    : occlusions_(weights.occlusions),
      patch_(weights.patch),
      directions_(std::move(directions)),
      floor_(double(weights.floor)),
      gradient_(double(weights.gradient)),
      by_spread_(bins + 1, 0.0) {}

void MeanWeight::add(const Image& pilot, const Image& disparity, const Image& spread,
                     const Box& core) {
    const Image smooth = smoothed_with_border(luma(pilot));
    pixels_ += double(core.width) * double(core.height);
    if (patch_) {
        add_patches(smooth, core);
        return;
    }
    const auto at = [&](int y, int x) { return smooth.at(y + border, x + border); };
    for (int y = core.y0; y < core.y1(); ++y)
        for (int x = core.x0; x < core.x1(); ++x) {
            const double gx = 0.5 * double(at(y, x + 1) - at(y, x - 1));
            const double gy = 0.5 * double(at(y + 1, x) - at(y - 1, x));
            const double w = std::exp(-(gx * gx + gy * gy) / (gradient_ * gradient_)) *
                             (occlusions_ ? boundary_weight(disparity, y, x) : 1.0);
            const double place =
                occlusions_ ? std::min(bins_per_level * double(spread.at(y, x)), double(bins) - 1)
                            : 0.0;
            const auto bin = std::size_t(place);
            by_spread_[bin] += w * (double(bin) + 1 - place);
            by_spread_[bin + 1] += w * (place - double(bin));
        }
}

void MeanWeight::add_patches(const Image& smooth, const Box& core) {
    const int width = smooth.width - 2 * border;
    const float* first = smooth.values.data() + smooth.index(border, border);
    const SmoothPlane g{first, smooth.width, width, smooth.height - 2 * border};
    PatchSimilarity similarity(*patch_, float(gradient_), directions_, width);
    std::vector<float> rows(directions_.size() * std::size_t(width));
    const double all = weight_sum(directions_);
    for (int y = core.y0; y < core.y1(); ++y) {
        similarity.row(g, y, rows.data(), std::size_t(width));
        for (std::size_t i = 0; i < directions_.size(); ++i) {
            double sum = 0;
            for (int x = core.x0; x < core.x1(); ++x)
                sum += double(rows[i * std::size_t(width) + std::size_t(x)]);
            by_spread_[0] += double(directions_[i].weight) / all * sum;
        }
    }
}

void MeanWeight::add(const MeanWeight& other) {
    pixels_ += other.pixels_;
    for (std::size_t i = 0; i < by_spread_.size(); ++i)
        by_spread_[i] += other.by_spread_[i];
}

float MeanWeight::mean(double noise_sigma) const {
    double sum = 0;
    for (std::size_t i = 0; i < by_spread_.size(); ++i)
        sum += by_spread_[i] * projection_weight(double(i) / bins_per_level, noise_sigma);
    return float(floor_ + (1 - floor_) * sum / std::max(pixels_, 1.0));
}

}  // namespace plenosr
