#pragma once

#include "backends/opencl/sampler.h"

namespace plenosr::opencl {

// The assembled normal stencil N = P' diag(m) P (src/kernels/stencil.cl).
class Stencil {
public:
    Stencil(Device& device, const Sampler& sampler, bool f32);

    static std::size_t bytes_for(const FrameShape& frame, int taps, bool f32);

    void assemble(const Sampler& sampler, const Memory& m);
    void apply(const Frame& s, Frame& t);  // t <- N s

private:
    Device& device_;
    FrameShape frame_;
    bool f32_;
    float unit_ = 1;  // of the 16-bit coefficients
    Memory coefficients_;
    Memory partial_;
    LocalMemory tile_;
    Kernel largest_;
    Kernel assemble_;
    Kernel apply_;
};

}  // namespace plenosr::opencl
