#pragma once

#include "backends/cpu/sampler.h"
#include "backends/cpu/simd_stencil.h"

namespace plenosr::cpu {

// The assembled normal stencil N = P' diag(m) P: frame -> frame.
// Rows of P couple pixels at most taps - 1 apart, so N is symmetric with its own 25 (bicubic) or
// 5 (bilinear) coefficients per pixel. Its cost does not depend on the number of samples.
//
// Coefficients are kept in T: float, or 16-bit floats, which halve the memory and change the
// result of a solve by less than 0.0001 dB, since only the search directions depend on N.
template <class T>
class Stencil {
public:
    Stencil(FrameShape frame, int taps);

    void assemble(const Sampler& sampler, const float* m, const Parallel& parallel);
    void apply(const Frame& in, Frame& out, const Parallel& parallel) const;  // out <- N in

    std::size_t bytes() const { return coefficients_.bytes(); }
    T coefficient(int row, int col, int dy, int dx) const;  // dy > 0, or dy = 0 and dx >= 0

private:
    template <class U>
    StencilView<U> view(U* data) const;

    FrameShape frame_;
    int taps_;
    int planes_;
    Buffer<T> coefficients_;
};

extern template class Stencil<float>;
extern template class Stencil<hwy::float16_t>;

}  // namespace plenosr::cpu
