#pragma once

#include "backends/cpu/sampler.h"
#include "backends/cpu/simd_periodic.h"
#include "engine/problem_shape.h"
#include "problem/periodic_normal.h"

namespace plenosr::cpu {

// N = P' diag(m) P of shifted frames (problem/periodic_normal.h): padded image -> padded image. In
// the interior it consists of scale^2 stencils without the taps that vanish; shifts by whole pixels
// leave one tap. Along the border it is applied sample by sample.
class Periodic {
public:
    // `sampler` has all samples of the problem; the weights m come in its order.
    Periodic(const PeriodicNormal& normal, const Sampler& sampler, Interpolation interpolation);

    void set_weights(const float* m);
    void apply(const PaddedImage& in, PaddedImage& out,
               const Parallel& parallel) const;  // out <- N in
    std::size_t bytes() const;
    static std::size_t bytes_for(const ProblemShape& shape);  // upper bound

private:
    int period_;
    Box interior_;  // in the padded image
    PeriodicRows rows_;
    std::unique_ptr<Sampler> border_;
    Buffer<std::uint32_t> border_index_;  // sample i of border_ is sample border_index_[i] of all
    Vector weights_;                      // m of the border samples
};

}  // namespace plenosr::cpu
