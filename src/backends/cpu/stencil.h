#pragma once

#include "backends/cpu/sampler.h"
#include "backends/cpu/simd_stencil.h"

namespace plenosr::cpu {

// The assembled normal stencil N = P' diag(m) P: padded image -> padded image.
// Rows of P couple pixels at most taps - 1 apart, so N is symmetric with its own 25 (bicubic) or
// 5 (bilinear) coefficients per pixel. Its cost does not depend on the number of samples.
//
// Coefficients are 16-bit floats. Compared with 32 bits they halve the memory and change the result
// of a solve by less than 0.0001 dB, since only the search directions depend on N.
class Stencil {
public:
    Stencil(PaddedShape shape, int taps);
    static std::size_t bytes_for(const PaddedShape& shape, int taps);

    void assemble(const Sampler& sampler, const float* m, const Parallel& parallel);
    void apply(const PaddedImage& in, PaddedImage& out,
               const Parallel& parallel) const;  // out <- N in

    std::size_t bytes() const { return coefficients_.bytes(); }

private:
    template <class T>
    StencilView<T> view(T* data) const;

    PaddedShape shape_;
    int taps_;
    Buffer<hwy::float16_t> coefficients_;  // (row, neighbour, column), see StencilView
};

}  // namespace plenosr::cpu
