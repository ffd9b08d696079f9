#pragma once

#include "backends/opencl/device_images.h"
#include "plenosr/reconstruct.h"

namespace plenosr::opencl {

// The denoisers of denoise/denoise.h on the device (src/kernels/bm3d.cl, nlm.cl): same results up
// to rounding.
class DeviceDenoiser {
public:
    DeviceDenoiser(Device& device, Denoiser kind, PlaneShape shape);

    static MemoryPlan memory(PlaneShape shape);  // the larger of both kinds

    // v <- x denoised, plane by plane
    void operator()(const Memory& x, int planes, double sigma, Memory& v);

private:
    void bm3d(const Memory& x, std::size_t offset, float sigma, Memory& v);
    void nlm(const Memory& x, std::size_t offset, float sigma, Memory& v);
    void stacks(Kernel& filter, float limit, float strength);

    Device& device_;
    Denoiser kind_;
    PlaneShape shape_;
    int width_;        // padded
    int height_;       // padded
    Memory noisy_;     // for nlm with a border
    Memory compared_;  // first the smoothed picture for block matching, then the guide
    Memory sum_;
    Memory weight_;
    Memory cosines_;
    Kernel pad_, smooth_, threshold_, wiener_, average_;
    Kernel border_, nlm_;
};

}  // namespace plenosr::opencl
