#pragma once

#include "plenosr/image.h"
#include "problem/prior.h"

namespace plenosr {

// The mean of the weights e of the pilot image, over all tiles:
//   mean = f + (1 - f) / n sum w_e b(d) p(spread, sigma)
// with w_e from the pilot (prior.h) and the two factors b, p of the occlusion weight (geometry.h),
// which are 1 if the prior has no occlusion weight. The noise sigma is known only after all tiles
// were added, so the sums are kept by spread.
class MeanWeight {
public:
    // `directions` are used by patch weights: the mean is over all of them, weighted by w_d.
    explicit MeanWeight(const PriorWeights& weights, std::vector<Direction> directions = {});

    // Adds the pixels of `core`; the images are those of one tile.
    void add(const Image& pilot, const Image& disparity, const Image& spread, const Box& core);
    void add(const MeanWeight& other);
    float mean(double noise_sigma) const;

private:
    void add_patches(const Image& smooth, const Box& core);

    bool occlusions_;
    std::optional<PatchDesc> patch_;
    std::vector<Direction> directions_;
    double floor_;
    double gradient_;
    double pixels_ = 0;
    std::vector<double> by_spread_;  // sum of w_e b, split between the two nearest bins
};

}  // namespace plenosr
