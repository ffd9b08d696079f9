#include "backends/cpu/stencil.h"

#include <cstring>

namespace plenosr::cpu {
namespace {

std::size_t coefficient_count(const PaddedShape& shape, int taps) {
    return shape.size() * std::size_t(stencil_neighbours(taps));
}

}  // namespace

Stencil::Stencil(PaddedShape shape, int taps)
    : shape_(shape), taps_(taps), coefficients_(coefficient_count(shape, taps)) {}

std::size_t Stencil::bytes_for(const PaddedShape& shape, int taps) {
    return Buffer<hwy::float16_t>::bytes_for(coefficient_count(shape, taps));
}

template <class T>
StencilView<T> Stencil::view(T* data) const {
    const std::int64_t stride = shape_.stride();
    const std::int64_t row_stride = stride * stencil_neighbours(taps_);
    return {data + PaddedShape::zero_rows * row_stride + PaddedShape::zero_cols,
            stride,
            row_stride,
            taps_,
            shape_.width(),
            shape_.height()};
}

void Stencil::assemble(const Sampler& sampler, const float* m, const Parallel& parallel) {
    const int slots = taps_ * (2 * taps_ - 1);
    const std::size_t row_size = (std::size_t(shape_.width()) + 8) * std::size_t(slots) + 16;
    const StencilView<hwy::float16_t> out = view(coefficients_.data());
    parallel.ranges(shape_.height(), 32, [&](int begin, int end) {
        // A ring of the rows that samples of the current row touch. The sums of one output row are
        // added in the order of the samples, for any number of threads.
        std::vector<float> ring(row_size * std::size_t(taps_), 0.0F);
        const auto ring_row = [&](int y) {
            return ring.data() + std::size_t(y % taps_) * row_size;
        };
        for (int y = std::max(0, begin - taps_ + 1); y < end; ++y) {
            float* rows[4];
            for (int j = 0; j < taps_; ++j)
                rows[j] = ring_row(y + j);
            const std::uint32_t start = sampler.starts()[std::size_t(y)];
            accumulate_stencil(taps_, sampler.samples() + start,
                               int(sampler.starts()[std::size_t(y) + 1] - start), m + start, rows);
            if (y >= begin) emit_stencil_row(rows[0], out, y);
            std::memset(rows[0], 0, row_size * sizeof(float));
        }
    });
}

void Stencil::apply(const PaddedImage& in, PaddedImage& out, const Parallel& parallel) const {
    const StencilView<const hwy::float16_t> coefficients = view(coefficients_.data());
    parallel.ranges(shape_.height(), 64,
                    [&](int begin, int end) { apply_stencil(coefficients, in, out, begin, end); });
}

}  // namespace plenosr::cpu
