#pragma once

#include "backends/opencl/device_images.h"
#include "plenosr/psf.h"

namespace plenosr::opencl {

// A grid of PSFs on the device, each padded with zeros to the given radii.
struct GridOnDevice {
    GridOnDevice(Device& device, const PsfGrid& psf, int radius_x, int radius_y);
    Memory memory;
    float per_x;  // nodes per pixel; 0 if there is only one
    float per_y;
};

// Blur B with PSFs that change over the image: plane -> padded image, with its adjoint
// (src/kernels/grid_blur.cl).
class GridBlur {
public:
    GridBlur(Device& device, const PsfGrid& psf, PaddedShape shape);

    GridBlur squared() const;
    void place(double x0, double y0) {
        x0_ = float(x0);
        y0_ = float(y0);
    }
    void forward(PlaneReader& reader, const Memory& x, int channel, PaddedImage& t);
    void adjoint(const PaddedImage& t, Memory& x, int channel);

private:
    Device& device_;
    PsfGrid psf_;
    PaddedShape shape_;
    GridOnDevice grid_;
    float x0_;
    float y0_;
    Kernel forward_;
    Kernel adjoint_;
};

}  // namespace plenosr::opencl
