#pragma once

#include "backends/cpu/blur.h"
#include "backends/cpu/data_operator.h"
#include "backends/cpu/sampler.h"

namespace plenosr::cpu {

// The image that is warped, and where on it the warped view's pixel (0, 0) lies.
struct WarpedImage {
    int width = 0;
    int height = 0;
    double x0 = 0;
    double y0 = 0;
};

// Warp W: (W x)(p) = x((x0, y0) + p + (u, v) d(p)), a gather by bilinear or bicubic interpolation;
// x is continued by its border pixels. The adjoint W' scatters with the same weights. (Warping back
// with another disparity map is not the adjoint.)
class Warp {
public:
    Warp(const Image& disparity, double u, double v, Interpolation interpolation,
         const WarpedImage& image);

    void forward(const float* x, float* out, const Parallel& parallel);
    void adjoint(const float* in, float* x, const Parallel& parallel);
    std::size_t bytes() const { return sampler_.bytes() + padded_.bytes() + ordered_.bytes(); }
    // For a view of `pixels` high-resolution pixels and a warped image of width x height.
    static OperatorBytes bytes_for(std::size_t pixels, int width, int height);

private:
    Blur continuation_;  // blur with the identity: pads the image
    Sampler sampler_;
    PaddedImage padded_;
    Vector ordered_;  // samples in the sampler's order
};

}  // namespace plenosr::cpu
