#pragma once

#include "backends/opencl/sampler.h"

namespace plenosr::opencl {

// The assembled normal stencil N = P' diag(m) P (src/kernels/stencil.cl).
class Stencil {
public:
    Stencil(Device& device, const Sampler& sampler);

    static MemoryPlan memory(const Tuning& tuning, const PaddedShape& padded, int taps);

    void assemble(const Sampler& sampler, const Memory& m);
    void apply(const PaddedImage& s, PaddedImage& t);  // t <- N s

private:
    Device& device_;
    PaddedShape padded_;
    float unit_ = 1;  // of the coefficients, which are 16-bit integers
    Memory coefficients_;
    std::size_t groups_ = 0;  // of a launch over all cells
    Memory partial_;          // one value per group
    LocalMemory tile_;
    LocalMemory scratch_;
    Kernel largest_;
    Kernel assemble_;
    Kernel apply_;
};

}  // namespace plenosr::opencl
