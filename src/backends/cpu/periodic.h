#pragma once

#include "backends/cpu/sampler.h"
#include "backends/cpu/simd_periodic.h"
#include "problem/periodic_normal.h"

namespace plenosr::cpu {

// N = P' diag(m) P of shifted frames (problem/periodic_normal.h): frame -> frame. Inside it is
// scale^2 stencils, of which taps that vanish are left out: whole shifts leave a single one. Along
// the border it is applied sample by sample.
class Periodic {
public:
    // `sampler` has all samples of the problem, in whose order the weights m come.
    Periodic(const PeriodicNormal& normal, const Sampler& sampler, Interpolation interpolation);

    void set_weights(const float* m);
    void apply(const Frame& in, Frame& out, const Parallel& parallel) const;  // out <- N in
    std::size_t bytes() const;

private:
    int period_;
    Box interior_;  // on the frame
    PeriodicRows rows_;
    std::unique_ptr<Sampler> border_;
    std::vector<std::uint32_t> of_border_;  // which of the samples these are
    std::vector<float> weights_;            // theirs
};

}  // namespace plenosr::cpu
