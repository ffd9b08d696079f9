#include "backends/cpu/weights.h"

#include <cmath>

#include "backends/cpu/simd_prox.h"
#include "backends/cpu/simd_rows.h"
#include "problem/patch_weight.h"
#include "psf/psf_factors.h"

namespace plenosr::cpu {
namespace {

PsfGrid smoothing_psf() {
    return gaussian_psf(1.0);  // G_1
}

}  // namespace

Weights::Weights(WeightsDesc desc, std::vector<Direction> directions, int width, int height,
                 int channels)
    : desc_(std::move(desc)),
      directions_(std::move(directions)),
      width_(width),
      height_(height),
      channels_(channels),
      blur_(smoothing_psf(), width, height),
      smooth_(desc_.adaptive ? PaddedImage(blur_.padded_shape()) : PaddedImage()),
      luma_(channels == 3 && desc_.adaptive ? std::size_t(width) * std::size_t(height) : 0),
      occlusion_(desc_.occlusion.size()) {
    std::copy(desc_.occlusion.begin(), desc_.occlusion.end(), occlusion_.data());
    desc_.occlusion = {};
}

std::size_t Weights::bytes_for(const ProblemShape& s) {
    if (!s.adaptive) return 0;
    const PaddedShape smooth = Blur::padded_shape(s.width, s.height, psf_radius(smoothing_psf()));
    const std::size_t plane = Vector::bytes_for(s.pixels());
    return smooth.bytes() + (s.channels == 3 ? plane : 0) + plane;  // smooth_, luma_, occlusion_
}

void Weights::compute(const float* x, float* e, Parallel& parallel) {
    const std::ptrdiff_t plane = std::ptrdiff_t(width_) * height_;
    if (!desc_.adaptive) {
        std::fill_n(e, plane, 1.0F);
        return;
    }
    if (channels_ == 3) {
        static constexpr float luma[3] = {0.299F, 0.587F, 0.114F};
        parallel.ranges(height_, 16, [&](int begin, int end) {
            const std::ptrdiff_t at = std::ptrdiff_t(begin) * width_;
            const float* planes[3] = {x + at, x + plane + at, x + 2 * plane + at};
            weighted_rows(planes, luma, 3, luma_.data() + at, (end - begin) * width_);
        });
        x = luma_.data();
    }
    blur_.forward(x, smooth_, parallel);
    if (desc_.patch) {
        patch_weights(e, parallel);
        return;
    }
    const int margin = smooth_.shape().margin;
    parallel.ranges(height_, 16, [&](int begin, int end) {
        for (int y = begin; y < end; ++y) {
            float* row = e + std::ptrdiff_t(y) * width_;
            edge_weight_row(
                desc_.floor, desc_.gradient, smooth_.row(y + margin - 1) + margin,
                smooth_.row(y + margin) + margin, smooth_.row(y + margin + 1) + margin,
                occlusion_.size() == 0 ? nullptr : occlusion_.data() + std::ptrdiff_t(y) * width_,
                row, width_);
            axpby_row(0.0F, row, 1.0F / desc_.mean, row, width_);
            weight_by_noise(y, row);
        }
    });
}

void Weights::weight_by_noise(int y, float* e_row) const {
    const NoiseProfile& n = desc_.noise;
    if (n.gain <= 0.0F) return;
    const int margin = smooth_.shape().margin;
    const float* g = smooth_.row(y + margin) + margin;
    for (int x = 0; x < width_; ++x)
        e_row[x] *= n.level / std::sqrt(n.floor * n.floor + n.gain * std::max(g[x], 0.0F));
}

void Weights::patch_weights(float* e, const Parallel& parallel) const {
    const int margin = smooth_.shape().margin;
    const std::size_t plane = std::size_t(width_) * std::size_t(height_);
    const SmoothPlane g{smooth_.row(margin) + margin, smooth_.shape().stride(), width_, height_};
    parallel.ranges(height_, 16, [&](int begin, int end) {
        PatchSimilarity similarity(*desc_.patch, desc_.gradient, directions_, width_);
        for (int y = begin; y < end; ++y) {
            float* rows = e + std::ptrdiff_t(y) * width_;
            similarity.row(g, y, rows, plane);
            for (std::size_t i = 0; i < directions_.size(); ++i) {
                float* row = rows + i * plane;
                for (int x = 0; x < width_; ++x)
                    row[x] = (desc_.floor + (1.0F - desc_.floor) * row[x]) / desc_.mean;
                weight_by_noise(y, row);
            }
        }
    });
}

}  // namespace plenosr::cpu
