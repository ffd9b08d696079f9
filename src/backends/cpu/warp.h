#pragma once

#include "backends/cpu/blur.h"
#include "backends/cpu/sampler.h"

namespace plenosr::cpu {

// Warp W: (W x)(p) = x(p + (u, v) d(p)), a gather by bilinear or bicubic interpolation; x is
// continued by its border pixels. The adjoint W' scatters with the same weights. (Warping back with
// another disparity map is not the adjoint.)
class Warp {
public:
    Warp(const Image& disparity, double u, double v, Interpolation interpolation);

    void forward(const float* x, float* out, const Parallel& parallel);
    void adjoint(const float* in, float* x, const Parallel& parallel);
    std::size_t bytes() const { return sampler_.bytes(); }

private:
    Blur continuation_;  // blur with the identity: only the frame around the image
    Sampler sampler_;
    Frame frame_;
    Vector ordered_;  // samples in the sampler's order
};

}  // namespace plenosr::cpu
