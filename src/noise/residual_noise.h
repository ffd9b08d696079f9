#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/geometry.h"
#include "problem/mixture.h"

namespace plenosr {

// Standard deviations in grey levels, from the residuals r = y - A pilot of visible samples.
// Samples at a limit are left out (they may be impulses, or clipped), and so are samples whose
// prediction lies within 1.5 sigma of a limit. Each estimate is 1.4826 median |r|, iterated.
struct NoiseEstimate {
    double residual = 1;  // of all residuals: noise and model error together; at least 1
    double sensor = 0;  // noise alone: the 20 % quantile over blocks of samples (model error raises
                        // a block's value, nothing lowers it)
    double quietest = 0;  // the 2 % quantile over blocks, corrected for chance and for clipping:
                          // closer to the noise where most blocks have texture
    // Fraction nu of impulses. Of the samples with a prediction t, nu + (1 - nu) c lie at a limit,
    // where c(t) is the probability that noise was clipped. nu and the sigma of c (0.9 to 1.3 times
    // the estimate, because predictions err too) are fitted over all t with c < 0.2. A result below
    // 0.002 becomes 0.
    double impulses = 0;
    // Noise that grows with the brightness t: variance = gain t + read^2, fitted to the spread of
    // the residuals for each prediction that is at least 0.9 of its spread away from the limits.
    double gain = 0;
    double read = 0;
    std::vector<double> of_views = {};  // noise of each view, from itself alone; empty: all alike

    // The sigma of the likelihood. The result explains part of what the median of the views does
    // not, so the noise alone counts.
    static constexpr double sensor_factor = 1.06;  // `sensor` is 6 % too low in pure noise
    double of_samples() const { return std::max(1.0, std::min(residual, sensor_factor * sensor)); }
};

// Gathers the residuals of one tile after the other, in memory that does not grow with the image:
// all of them in a histogram, and those of some blocks, spread over the image, one by one. Neither
// the tiles nor their order change the estimate.
class ResidualNoise {
public:
    // The size and the number of views are those of the whole image.
    ResidualNoise(int low_width, int low_height, std::size_t views, const ValueLimits& limits);

    // B pilot: the blur is shared, as in the sampling operator.
    static Image blurred(const Image& pilot, const PsfGrid& psf);

    // Adds the residuals of the samples that lie in `core` of the tile. (tile_x0, tile_y0) is the
    // tile's place in the image, at high resolution.
    void add(const std::vector<Image>& views, const std::vector<ViewGeometry>& geometry,
             const Image& blurred_pilot, int scale, const Box& core, int tile_x0, int tile_y0);

    NoiseEstimate estimate() const;

    static std::size_t bytes(int low_width, int low_height, std::size_t views);  // at most

private:
    struct Residual {
        std::uint32_t block;
        float predicted;
        float value;  // |r|
    };
    // Visible samples with one prediction: how many, and how many of them at a limit.
    struct Count {
        std::uint64_t all = 0;
        std::uint64_t extreme = 0;
    };

    bool keeps(std::uint32_t block) const;
    bool away_from_limits(double from, double to, double guard) const;
    // The bin of a prediction among `bins` over 0 … 255. Predictions beyond a limit that is
    // disabled have a bin of their own: `bins` below 0, `bins` + 1 above 255.
    int bin_of(float predicted, int bins) const;
    std::span<const std::uint32_t> residuals_at(int predicted_bin) const;
    // 1.4826 median |r| for predictions that are `guard` away from the limits; negative if there
    // are too few residuals. Residuals of noise of `sigma` that was clipped are missing, and are
    // counted as larger than the median.
    double sigma_beyond(double guard, double sigma) const;
    double clipped(double predicted, double sigma) const;  // the probability c
    double impulses(double sigma) const;
    void fit_photon_noise(NoiseEstimate& estimate) const;
    void estimate_from_blocks(double guard, double sigma, NoiseEstimate& estimate) const;

    ValueLimits limits_;
    std::vector<Count> counts_;  // by prediction
    int blocks_across_;
    std::uint32_t stride_;                  // one block of so many is kept
    std::vector<std::uint32_t> histogram_;  // (prediction, |r|)
    std::vector<Residual> residuals_;
};

}  // namespace plenosr
