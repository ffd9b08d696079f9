#include "problem/patch_weight.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace plenosr {
namespace {

constexpr float least_exponent = -80;  // exp() of less is denormal, which is slow

int reach_of(const PatchDesc& patch, const std::vector<Direction>& directions) {
    int step = 0;
    for (const Direction& d : directions)
        step = std::max({step, std::abs(d.dx), d.dy});
    return patch.radius + step;
}

}  // namespace

PatchSimilarity::PatchSimilarity(const PatchDesc& patch, float g0,
                                 const std::vector<Direction>& directions, int width)
    : patch_(patch),
      scale_(-1.0F / (g0 * g0)),
      directions_(directions),
      width_(width),
      reach_(reach_of(patch, directions)),
      lines_(std::size_t(2 * reach_ + 1) * std::size_t(width + 2 * reach_)),
      b_(std::size_t(width)),
      sum_(std::size_t(width)) {}

const float* PatchSimilarity::line(int dy, int dx) const {
    return lines_.data() + std::ptrdiff_t(dy + reach_) * (width_ + 2 * reach_) + reach_ + dx;
}

void PatchSimilarity::row(const SmoothPlane& g, int y, float* w, std::size_t plane) {
    constexpr int border = SmoothPlane::border;
    float* out = lines_.data();
    for (int dy = -reach_; dy <= reach_; ++dy) {
        const float* from = g.at + std::clamp(y + dy, -border, g.height - 1 + border) * g.stride;
        for (int x = -reach_; x < width_ + reach_; ++x)
            *out++ = from[std::clamp(x, -border, width_ - 1 + border)];
    }
    for (std::size_t i = 0; i < directions_.size(); ++i)
        std::fill_n(w + i * plane, width_, 0.0F);
    std::fill(sum_.begin(), sum_.end(), 0.0F);
    std::fill(b_.begin(), b_.end(), 1.0F);
    const int r = patch_.radius;
    const float* centre = line(0, 0);
    for (int qy = -r; qy <= r; ++qy)
        for (int qx = -r; qx <= r; ++qx) {
            const float* here = line(qy, qx);
            if (patch_.range > 0.0F) {
                const float range = -1.0F / (patch_.range * patch_.range);
                const float distance = -0.5F * float(qx * qx + qy * qy);
                for (int x = 0; x < width_; ++x) {
                    const float step = here[x] - centre[x];
                    b_[std::size_t(x)] = std::exp(distance + range * (step * step));
                }
            }
            for (int x = 0; x < width_; ++x)
                sum_[std::size_t(x)] += b_[std::size_t(x)];
            for (std::size_t i = 0; i < directions_.size(); ++i) {
                const float* there = line(qy + directions_[i].dy, qx + directions_[i].dx);
                float* sum = w + i * plane;
                for (int x = 0; x < width_; ++x) {
                    const float step = there[x] - here[x];
                    sum[x] += b_[std::size_t(x)] * (step * step);
                }
            }
        }
    for (std::size_t i = 0; i < directions_.size(); ++i) {
        float* row = w + i * plane;
        for (int x = 0; x < width_; ++x)
            row[x] = std::exp(std::max(scale_ * (row[x] / sum_[std::size_t(x)]), least_exponent));
    }
}

}  // namespace plenosr
