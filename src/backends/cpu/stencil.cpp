#include "backends/cpu/stencil.h"

#include <cstring>

namespace plenosr::cpu {

template <class T>
Stencil<T>::Stencil(FrameShape frame, int taps)
    : frame_(frame),
      taps_(taps),
      planes_(taps * (2 * taps - 1) - (taps - 1)),
      coefficients_(frame.size() * std::size_t(planes_)) {}

template <class T>
template <class U>
StencilView<U> Stencil<T>::view(U* data) const {
    const std::int64_t stride = frame_.stride();
    return {data + FrameShape::zero_rows * stride * planes_ + FrameShape::zero_cols,
            stride,
            stride * planes_,
            taps_,
            frame_.width(),
            frame_.height()};
}

template <class T>
T Stencil<T>::coefficient(int row, int col, int dy, int dx) const {
    return view(coefficients_.data()).plane(row, dy * (2 * taps_ - 1) + dx)[col];
}

template <class T>
void Stencil<T>::assemble(const Sampler& sampler, const float* m, const Parallel& parallel) {
    const int slots = taps_ * (2 * taps_ - 1);
    const std::size_t row_size = (std::size_t(frame_.width()) + 8) * std::size_t(slots) + 16;
    const StencilView<T> out = view(coefficients_.data());
    parallel.ranges(frame_.height(), 32, [&](int begin, int end) {
        // A ring of the rows that samples of the current row touch. Sums of one output row come
        // in the order of the samples, whichever thread makes them.
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

template <class T>
void Stencil<T>::apply(const Frame& in, Frame& out, const Parallel& parallel) const {
    const StencilView<const T> coefficients = view(coefficients_.data());
    parallel.ranges(frame_.height(), 64,
                    [&](int begin, int end) { apply_stencil(coefficients, in, out, begin, end); });
}

template class Stencil<float>;
template class Stencil<hwy::float16_t>;

}  // namespace plenosr::cpu
