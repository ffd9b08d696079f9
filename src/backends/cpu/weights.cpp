#include "backends/cpu/weights.h"

#include "backends/cpu/simd_prox.h"
#include "backends/cpu/simd_rows.h"

namespace plenosr::cpu {

Weights::Weights(WeightsDesc desc, int width, int height, int channels)
    : desc_(std::move(desc)),
      width_(width),
      height_(height),
      channels_(channels),
      blur_(gaussian_psf(1.0), width, height),
      smooth_(desc_.adaptive ? Frame(blur_.frame_shape()) : Frame()),
      luma_(channels == 3 && desc_.adaptive ? std::size_t(width) * std::size_t(height) : 0) {}

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
    const int margin = smooth_.shape().margin;
    parallel.ranges(height_, 16, [&](int begin, int end) {
        for (int y = begin; y < end; ++y) {
            float* row = e + std::ptrdiff_t(y) * width_;
            edge_weight_row(desc_.floor, desc_.gradient, smooth_.row(y + margin - 1) + margin,
                            smooth_.row(y + margin) + margin, smooth_.row(y + margin + 1) + margin,
                            desc_.occlusion.empty()
                                ? nullptr
                                : desc_.occlusion.data() + std::ptrdiff_t(y) * width_,
                            row, width_);
            axpby_row(0.0F, row, 1.0F / desc_.mean, row, width_);
        }
    });
}

}  // namespace plenosr::cpu
