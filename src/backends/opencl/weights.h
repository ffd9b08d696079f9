#pragma once

#include "backends/opencl/blur.h"
#include "problem/prior.h"

namespace plenosr::opencl {

// The weights e (src/kernels/weights.cl), from the luma of x: one plane, or one per direction.
class Weights {
public:
    // `frame`: the shape of the two frames that compute() is lent
    Weights(Device& device, const WeightsDesc& desc, const std::vector<Direction>& directions,
            FrameShape frame, int channels);

    void compute(PlaneReader& reader, const Memory& x, Frame& smooth, Frame& scratch, Memory& e);

private:
    Device& device_;
    FrameShape frame_;
    int channels_;
    bool adaptive_;
    float floor_;
    float scale_;  // of the squared differences in the exponent
    float range_scale_ = 0;
    bool patches_;
    NoiseProfile noise_;
    float mean_;
    bool has_occlusion_;
    Memory occlusion_;
    Memory luma_;
    std::unique_ptr<Blur> blur_;  // G_1
    Kernel luma_kernel_;
    Kernel edge_kernel_;
    Kernel patch_kernel_;
    Kernel uniform_kernel_;
};

}  // namespace plenosr::opencl
