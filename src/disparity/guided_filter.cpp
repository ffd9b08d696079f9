#include "disparity/guided_filter.h"

#include <algorithm>

namespace plenosr {

GuidedFilter::GuidedFilter(const Image& guide, int radius, float epsilon)
    : width_(guide.width),
      height_(guide.height),
      radius_(radius),
      guide_(guide.values),
      mean_(guide.values.size()),
      inverse_(guide.values.size()),
      share_(static_cast<std::size_t>(guide.width)) {
    for (int x = 0; x < width_; ++x)
        share_[std::size_t(x)] =
            1.0F / float(std::min(x + radius_, width_ - 1) - std::max(x - radius_, 0) + 1);
    std::vector<float> row;
    mean(guide_.data(), mean_.data(), row);
    std::vector<float> squares(guide_.size());
    for (std::size_t i = 0; i < squares.size(); ++i)
        squares[i] = guide_[i] * guide_[i];
    mean(squares.data(), inverse_.data(), row);
    for (std::size_t i = 0; i < inverse_.size(); ++i)
        inverse_[i] = 1.0F / (std::max(inverse_[i] - mean_[i] * mean_[i], 0.0F) + epsilon);
}

// Direct sums: as fast as running sums for radii up to 9, and all pixels are rounded alike.
void GuidedFilter::mean(const float* in, float* out, std::vector<float>& row) const {
    const int w = width_;
    row.assign(std::size_t(w + 2 * radius_), 0.0F);  // zeros around the row
    float* sum = row.data() + radius_;
    for (int y = 0; y < height_; ++y) {
        const int top = std::max(y - radius_, 0);
        const int bottom = std::min(y + radius_, height_ - 1);
        std::copy_n(in + std::size_t(top) * std::size_t(w), w, sum);
        for (int j = top + 1; j <= bottom; ++j) {
            const float* from = in + std::size_t(j) * std::size_t(w);
            for (int x = 0; x < w; ++x)
                sum[x] += from[x];
        }
        float* to = out + std::size_t(y) * std::size_t(w);
        std::copy_n(row.data(), w, to);
        for (int i = 1; i <= 2 * radius_; ++i) {
            const float* from = row.data() + i;
            for (int x = 0; x < w; ++x)
                to[x] += from[x];
        }
        const float rows = 1.0F / float(bottom - top + 1);
        for (int x = 0; x < w; ++x)
            to[x] *= rows * share_[std::size_t(x)];
    }
}

void GuidedFilter::apply(float* p, Scratch& s) const {
    const std::size_t n = guide_.size();
    s.a.resize(n);
    s.b.resize(n);
    std::vector<float>& product = s.a;
    for (std::size_t i = 0; i < n; ++i)
        product[i] = guide_[i] * p[i];
    mean(product.data(), s.b.data(), s.vertical);  // M(G p)
    mean(p, s.a.data(), s.vertical);               // M p
    for (std::size_t i = 0; i < n; ++i) {
        const float a = (s.b[i] - mean_[i] * s.a[i]) * inverse_[i];
        s.b[i] = s.a[i] - a * mean_[i];
        s.a[i] = a;
    }
    mean(s.a.data(), p, s.vertical);
    for (std::size_t i = 0; i < n; ++i)
        p[i] *= guide_[i];
    mean(s.b.data(), s.a.data(), s.vertical);
    for (std::size_t i = 0; i < n; ++i)
        p[i] += s.a[i];
}

}  // namespace plenosr
