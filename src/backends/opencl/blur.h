#pragma once

#include <optional>
#include <vector>

#include "backends/opencl/grid_blur.h"
#include "plenosr/psf.h"

namespace plenosr::opencl {

// Blur B: plane -> padded image, with its adjoint (src/kernels/blur.cl).
class Blur {
public:
    Blur(Device& device, const PsfGrid& psf, PaddedShape shape);

    // Tables of a PSF of this radius: of a grid of PSFs with `psf_values` taps in total (0: one
    // PSF), of the product of a column and a row, or of any PSF.
    static MemoryPlan memory(int radius, std::size_t psf_values, int margin, bool separable);

    // Moves a grid of PSFs: its node (0, 0) lies at (x0, y0) of the image.
    void place(double x0, double y0) {
        if (grid_) grid_->place(x0, y0);
    }

    // The blur with squared taps, B2: B2' m is diag(B' diag(m) B), except at the image's border.
    Blur squared() const;

    // t <- B x for channel `channel` of x; `scratch` is another padded image of the same shape
    void forward(PlaneReader& reader, const Memory& x, int channel, PaddedImage& t,
                 PaddedImage& scratch);
    // channel of x <- B' t
    void adjoint(const PaddedImage& t, Memory& x, int channel, PaddedImage& scratch);

private:
    Blur(Device& device, int radius, std::vector<float> column, std::vector<float> row,
         std::vector<float> taps, PaddedShape shape);
    Blur(Device& device, GridBlur grid, int radius, PaddedShape shape);

    Device& device_;
    PaddedShape shape_;
    std::optional<GridBlur> grid_;  // if the PSF changes over the image
    int radius_;
    std::vector<float> column_;  // factors of a PSF that is a product
    std::vector<float> row_;
    std::vector<float> taps_;  // all taps of any other PSF
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
