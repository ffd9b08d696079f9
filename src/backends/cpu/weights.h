#pragma once

#include "backends/cpu/blur.h"
#include "problem/prior.h"

namespace plenosr::cpu {

// The image e of edge and occlusion weights (problem/prior.h), from the luma of x.
class Weights {
public:
    Weights(WeightsDesc desc, int width, int height, int channels);

    // e <- weights of x (channels x height x width)
    void compute(const float* x, float* e, Parallel& parallel);
    std::size_t bytes() const { return smooth_.bytes() + luma_.bytes(); }

private:
    WeightsDesc desc_;
    int width_;
    int height_;
    int channels_;
    Blur blur_;     // G_1
    Frame smooth_;  // G_1 * luma
    Vector luma_;   // only for three channels
};

}  // namespace plenosr::cpu
