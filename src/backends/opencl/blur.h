#pragma once

#include <vector>

#include "backends/opencl/field.h"
#include "plenosr/psf.h"

namespace plenosr::opencl {

// Blur B: plane -> frame, with its adjoint (src/kernels/blur.cl).
class Blur {
public:
    // `margin` of the frame; sampling needs radius + 3
    Blur(Device& device, const Psf& psf, FrameShape shape);

    // The blur whose taps are the squares of this one's: B2' m is diag(B' diag(m) B), up to the
    // image's border.
    Blur squared() const;

    // t <- B x for channel `channel` of x; `scratch` is another frame of the same shape
    void forward(PlaneReader& reader, const Memory& x, int channel, Frame& t, Frame& scratch);
    // channel of x <- B' t
    void adjoint(const Frame& t, Memory& x, int channel, Frame& scratch);

private:
    Blur(Device& device, int radius, std::vector<float> column, std::vector<float> row,
         std::vector<float> taps, FrameShape shape);

    Device& device_;
    FrameShape shape_;
    int radius_;
    std::vector<float> column_;  // factors of a product …
    std::vector<float> row_;
    std::vector<float> taps_;  // … or all taps of any other PSF
    Memory column_table_;      // per axis: the taps, then the folded ones
    Memory row_table_;
    Memory tap_values_;
    Memory folded_taps_;
    Memory folded_places_;
    Kernel forward_;
    Kernel forward_rows_;
    Kernel adjoint_;
    Kernel adjoint_rows_;
};

}  // namespace plenosr::opencl
