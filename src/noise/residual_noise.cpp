#include "noise/residual_noise.h"

#include <algorithm>
#include <cmath>

#include "degrade/blur_decimate.h"
#include "light_field/interpolate.h"

namespace plenosr {
namespace {

struct Residual {
    int block;
    float predicted;
    float value;
};

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

NoiseEstimate residual_noise(const std::vector<Image>& views,
                             const std::vector<ViewGeometry>& geometry, const Image& pilot,
                             const Psf& psf, int scale) {
    // The blur is shared, as in the sampling operator.
    const Image blurred = blur_decimate(channel(pilot, 0), psf, 1);
    std::vector<Residual> residuals;
    const int blocks_across = views.front().width / block_size + 1;
    const double all = double(views.size()) * double(views.front().pixels());
    const int stride = int(std::ceil(all / most));
    for (std::size_t k = 0; k < views.size(); ++k) {
        const ViewGeometry& g = geometry[k];
        for (int i = 0; i < views[k].height; ++i) {
            if (i / block_size % stride != 0) continue;
            for (int j = 0; j < views[k].width; ++j) {
                const float y = views[k].at(i, j);
                if (y <= 0.0F || y >= 255.0F || g.visible.at(i, j) <= visible_enough) continue;
                const double d = double(g.low_disparity.at(i, j));
                const float predicted =
                    bilinear_at(blurred, scale * j + g.u * d, scale * i + g.v * d);
                residuals.push_back({i / block_size * blocks_across + j / block_size, predicted,
                                     std::abs(y - predicted)});
            }
        }
    }
    NoiseEstimate estimate;
    double sigma = 0;
    std::vector<float> kept;
    double guard = 0;
    for (int round = 0; round < rounds; ++round) {
        guard = std::min(1.5 * sigma, 100.0);
        kept.clear();
        for (const Residual& r : residuals)
            if (double(r.predicted) >= guard && double(r.predicted) <= 255 - guard)
                kept.push_back(r.value);
        if (kept.size() < enough) return estimate;
        sigma = robust_sigma(kept);
    }
    estimate.residual = std::max(sigma, 1.0);

    std::vector<std::vector<float>> blocks;
    for (const Residual& r : residuals) {
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
