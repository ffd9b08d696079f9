#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "problem/geometry.h"
#include "problem/mixture.h"

namespace plenosr {

// Standard deviations in grey levels, from the residuals r = y - A pilot where the pixel is
// visible, not an extreme (0 and 255 may be impulses or clipped) and its prediction is 1.5 sigma
// away from the limits; each is 1.4826 median |r|, iterated.
struct NoiseEstimate {
    double residual = 1;  // over all residuals: noise and model error together; at least 1
    double sensor = 0;    // noise alone: over blocks, the value that one block in five stays below
                          // (model error raises a block's value, nothing lowers it)
    double quietest = 0;  // … one block in fifty, corrected for chance and for clipping: closer to
                          // the noise where most blocks have texture
    // Fraction nu of impulses: extremes are nu + (1 - nu) c of the samples with a prediction t,
    // where c(t) is the chance that noise was clipped; nu and the noise of c (0.9 to 1.3 times the
    // estimate: predictions err as well) are fitted over all t with c < 0.2. Below 0.002 it is 0.
    double impulses = 0;
    // Noise that grows with the brightness t: variance = gain t + read^2, fitted to the spread of
    // the residuals at each prediction that is 0.9 of it away from the limits.
    double gain = 0;
    double read = 0;
    std::vector<double> of_views = {};  // each view's own noise, from itself alone; empty: alike

    // For the likelihood: what the median of the views does not explain is in part explained by the
    // result, so the noise alone counts; its estimate is the lower end of what blocks say, 6 % low
    // in pure noise.
    double of_samples() const { return std::max(1.0, std::min(residual, 1.06 * sensor)); }
};

// Gathers the residuals of one tile after the other, in memory that does not grow with the image:
// all of them in a histogram, and those of some blocks, spread over the image, one by one. Neither
// the tiles nor their order change the estimate.
class ResidualNoise {
public:
    // of the whole image
    ResidualNoise(int low_width, int low_height, std::size_t views, const ValueLimits& limits);

    // B pilot: the blur is shared, as in the sampling operator.
    static Image blurred(const Image& pilot, const PsfGrid& psf);

    // The residuals of the samples that lie in `core` of the tile; `tile_x0`, `tile_y0`: where the
    // tile lies in the image, high resolution.
    void add(const std::vector<Image>& views, const std::vector<ViewGeometry>& geometry,
             const Image& blurred_pilot, int scale, const Box& core, int tile_x0, int tile_y0);

    NoiseEstimate estimate() const;

    static std::size_t bytes(int low_width, int low_height, std::size_t views);  // at most

private:
    struct Residual {
        std::uint32_t block;
        float predicted;
        float value;
    };
    bool keeps(std::uint32_t block) const;
    // Of the histogram, for predictions `guard` away from the limits; negative: too few residuals.
    // Noise of `sigma` that was clipped is missing from it, and is counted as above the median.
    double sigma_beyond(double guard, double sigma) const;
    double clipped(double predicted, double sigma) const;  // the probability
    double impulses(double sigma) const;
    void fit_photon_noise(NoiseEstimate& estimate) const;

    // Visible samples by what was predicted: how many, and how many at a limit.
    struct Count {
        std::uint64_t all = 0;
        std::uint64_t extreme = 0;
    };

    ValueLimits limits_;
    std::vector<Count> counts_;
    int blocks_across_;
    std::uint32_t stride_;                  // one block of so many is kept
    std::vector<std::uint32_t> histogram_;  // (predicted, |r|)
    std::vector<Residual> residuals_;
};

}  // namespace plenosr
