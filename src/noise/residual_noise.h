#pragma once

#include "problem/geometry.h"

namespace plenosr {

// Standard deviations in grey levels, from the residuals r = y - A pilot where the pixel is
// visible, not an extreme (0 and 255 may be impulses or clipped) and its prediction is 1.5 sigma
// away from the limits; each is 1.4826 median |r|, iterated.
struct NoiseEstimate {
    double residual = 1;  // over all residuals: noise and model error together; at least 1
    double sensor = 0;    // noise alone: over blocks, the value that one block in five stays below
                          // (model error raises a block's value, nothing lowers it)
};

// Gathers the residuals of one tile after the other; the estimate is that of the whole image. Of
// large problems only every n-th row of blocks is kept, so that memory stays bounded.
class ResidualNoise {
public:
    static constexpr std::size_t enough_residuals = 4000000;
    // Sizes of the whole image; about `most` residuals are kept.
    ResidualNoise(int low_width, int low_height, std::size_t views,
                  std::size_t most = enough_residuals);

    // B pilot: the blur is shared, as in the sampling operator.
    static Image blurred(const Image& pilot, const Psf& psf);

    // The residuals of the samples that lie in `core` of the tile; `tile_x0`, `tile_y0`: where the
    // tile lies in the image, high resolution.
    void add(const std::vector<Image>& views, const std::vector<ViewGeometry>& geometry,
             const Image& blurred_pilot, int scale, const Box& core, int tile_x0, int tile_y0);

    NoiseEstimate estimate() const;

    struct Residual {
        int block;
        float predicted;
        float value;
    };

private:
    int blocks_across_;
    int stride_;  // every stride-th row of blocks
    std::vector<Residual> residuals_;
};

}  // namespace plenosr
