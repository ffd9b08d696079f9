#include "noise/residual_noise.h"

#include <algorithm>
#include <cmath>

#include "degrade/blur_decimate.h"

namespace plenosr {
namespace {

struct Residual {
    float predicted;
    float value;
};

constexpr float visible_enough = 0.9F;
constexpr int rounds = 5;
constexpr std::size_t enough = 100;  // residuals without which an estimate would be a guess

}  // namespace

double residual_noise(const std::vector<Image>& views, const std::vector<ViewGeometry>& geometry,
                      const Image& pilot, const Psf& psf, int scale) {
    // The blur is shared (sampling operator); whole-pixel positions are near enough for a median.
    const Image blurred = blur_decimate(channel(pilot, 0), psf, 1);
    std::vector<Residual> residuals;
    for (std::size_t k = 0; k < views.size(); ++k) {
        const ViewGeometry& g = geometry[k];
        for (int i = 0; i < views[k].height; ++i)
            for (int j = 0; j < views[k].width; ++j) {
                const float y = views[k].at(i, j);
                if (y <= 0.0F || y >= 255.0F || g.visible.at(i, j) <= visible_enough) continue;
                const double d = double(g.low_disparity.at(i, j));
                const double px = std::clamp(scale * j + g.u * d, 0.0, double(blurred.width - 1));
                const double py = std::clamp(scale * i + g.v * d, 0.0, double(blurred.height - 1));
                const int x0 = std::min(int(px), std::max(0, blurred.width - 2));
                const int y0 = std::min(int(py), std::max(0, blurred.height - 2));
                const int x1 = std::min(x0 + 1, blurred.width - 1);
                const int y1 = std::min(y0 + 1, blurred.height - 1);
                const float fx = float(px - x0);
                const float fy = float(py - y0);
                const float predicted =
                    (1 - fy) * ((1 - fx) * blurred.at(y0, x0) + fx * blurred.at(y0, x1)) +
                    fy * ((1 - fx) * blurred.at(y1, x0) + fx * blurred.at(y1, x1));
                residuals.push_back({predicted, std::abs(y - predicted)});
            }
    }
    double sigma = 0;
    std::vector<float> kept;
    for (int round = 0; round < rounds; ++round) {
        const double guard = std::min(1.5 * sigma, 100.0);
        kept.clear();
        for (const Residual& r : residuals)
            if (double(r.predicted) >= guard && double(r.predicted) <= 255 - guard)
                kept.push_back(r.value);
        if (kept.size() < enough) break;
        const auto middle = kept.begin() + std::ptrdiff_t(kept.size() / 2);
        std::nth_element(kept.begin(), middle, kept.end());
        sigma = 1.4826 * double(*middle);
    }
    return std::max(sigma, 1.0);
}

}  // namespace plenosr
