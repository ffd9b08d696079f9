#pragma once

#include "backends/opencl/blur.h"
#include "problem/prior.h"

namespace plenosr::opencl {

// The weights e (src/kernels/weights.cl), from the luma of x: one plane, or one per direction.
class Weights {
public:
    // `padded`: shape of the two scratch images of compute()
    Weights(Device& device, const WeightsDesc& desc, const std::vector<Direction>& directions,
            PaddedShape padded, int channels);

    static MemoryPlan memory(PaddedShape padded, int channels, bool adaptive);

    void compute(PlaneReader& reader, const Memory& x, PaddedImage& smooth, PaddedImage& scratch,
                 Memory& e);

private:
    Device& device_;
    PaddedShape padded_;
    int channels_;
    bool adaptive_;
    float floor_;
    float scale_;  // factor of the squared differences in the exponent
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
