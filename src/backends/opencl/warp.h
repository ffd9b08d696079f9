#pragma once

#include "backends/opencl/blur.h"
#include "backends/opencl/sampler.h"
#include "problem/problem.h"

namespace plenosr::opencl {

// Warp W: (W x)(p) = x(p + (u, v) d(p)), from an image to the grid of a view, by bilinear or
// bicubic interpolation; x is continued by its border pixels. The adjoint uses the same weights.
// The warps of a chain share scratch memory and kernels.
class Warp {
public:
    struct Shared {
        Shared(Device& device, PlaneShape image, PlaneShape view);
        static MemoryPlan memory(PlaneShape image, PlaneShape view);
        PlaneShape view;
        Blur continuation;  // blur with the identity: pads the image
        PaddedImage padded;
        PaddedImage scratch;
        Memory ordered;  // samples in the sampler's order
        Kernel scatter;
        Kernel gather;
    };

    Warp(Device& device, Shared& shared, const Observation& observation,
         Interpolation interpolation);

    static MemoryPlan memory(const Tuning& tuning, PlaneShape image, PlaneShape view);

    void forward(PlaneReader& reader, const Memory& x, int channel, Memory& out);  // out: a view
    void adjoint(const Memory& in, Memory& x);

private:
    Grid order_grid() const;

    Device& device_;
    Shared& shared_;
    std::unique_ptr<Sampler> sampler_;
    Memory order_;
};

}  // namespace plenosr::opencl
