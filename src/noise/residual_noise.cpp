#include "noise/residual_noise.h"

#include <algorithm>
#include <cmath>

#include "degrade/blur_decimate.h"
#include "light_field/interpolate.h"

namespace plenosr {
namespace {

// 1.4826 median |r|; reorders the values.
double robust_sigma(std::vector<float>& values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return 1.4826 * double(*middle);
}

constexpr float visible_enough = 0.9F;
constexpr int rounds = 5;
constexpr std::size_t enough = 100;  // residuals without which an estimate would be a guess
constexpr int block_size = 8;        // low-resolution pixels
constexpr double most = 4e6;         // residuals kept; of larger problems, every n-th row of blocks
constexpr double quiet_share = 0.2;  // of the blocks are taken to be free of model error

}  // namespace

ResidualNoise::ResidualNoise(int low_width, int low_height, std::size_t views)
    : blocks_across_(low_width / block_size + 1),
      stride_(int(std::ceil(double(views) * double(low_width) * double(low_height) / most))) {}

std::size_t ResidualNoise::most_bytes(int low_width, int low_height, std::size_t views) {
    const double all = double(views) * double(low_width) * double(low_height);
    // the residuals, once more while they are put together, and the values that the medians order
    return std::size_t(std::min(all, 1.1 * most) * (2.0 * sizeof(Residual) + 3.0 * sizeof(float)));
}

void ResidualNoise::add(const std::vector<Image>& views, const std::vector<ViewGeometry>& geometry,
                        const Image& pilot, const Psf& psf, int scale, const Box& core, int tile_x0,
                        int tile_y0) {
    // The blur is shared, as in the sampling operator.
    const Image blurred = blur_decimate(channel(pilot, 0), psf, 1);
    for (std::size_t k = 0; k < views.size(); ++k) {
        const ViewGeometry& g = geometry[k];
        const int first_row = (tile_y0 + g.crop.y0) / scale;  // of the view
        const int first_col = (tile_x0 + g.crop.x0) / scale;
        for (int i = 0; i < views[k].height; ++i) {
            const int block_row = (first_row + i) / block_size;
            if (block_row % stride_ != 0) continue;
            for (int j = 0; j < views[k].width; ++j) {
                const float y = views[k].at(i, j);
                if (y <= 0.0F || y >= 255.0F || g.visible.at(i, j) <= visible_enough) continue;
                const double d = double(g.at_low_resolution().at(i, j));
                const double px = g.crop.x0 + scale * j + g.crop.u * d;
                const double py = g.crop.y0 + scale * i + g.crop.v * d;
                if (px < core.x0 || px >= core.x1() || py < core.y0 || py >= core.y1()) continue;
                const float predicted = bilinear_at(blurred, px, py);
                residuals_.push_back({block_row * blocks_across_ + (first_col + j) / block_size,
                                      predicted, std::abs(y - predicted)});
            }
        }
    }
}

void ResidualNoise::add(ResidualNoise other) {
    if (residuals_.empty())
        residuals_ = std::move(other.residuals_);
    else
        residuals_.insert(residuals_.end(), other.residuals_.begin(), other.residuals_.end());
}

NoiseEstimate ResidualNoise::estimate() const {
    NoiseEstimate estimate;
    double sigma = 0;
    std::vector<float> kept;
    double guard = 0;
    for (int round = 0; round < rounds; ++round) {
        guard = std::min(1.5 * sigma, 100.0);
        kept.clear();
        for (const Residual& r : residuals_)
            if (double(r.predicted) >= guard && double(r.predicted) <= 255 - guard)
                kept.push_back(r.value);
        if (kept.size() < enough) return estimate;
        sigma = robust_sigma(kept);
    }
    estimate.residual = std::max(sigma, 1.0);

    std::vector<std::vector<float>> blocks;
    for (const Residual& r : residuals_) {
        if (double(r.predicted) < guard || double(r.predicted) > 255 - guard) continue;
        if (std::size_t(r.block) >= blocks.size()) blocks.resize(std::size_t(r.block) + 1);
        blocks[std::size_t(r.block)].push_back(r.value);
    }
    std::vector<double> sigmas;
    for (std::vector<float>& block : blocks)
        if (block.size() >= enough) sigmas.push_back(robust_sigma(block));
    std::sort(sigmas.begin(), sigmas.end());
    estimate.sensor =
        sigmas.empty() ? sigma : sigmas[std::size_t(quiet_share * double(sigmas.size()))];
    return estimate;
}

}  // namespace plenosr
