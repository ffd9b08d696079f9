#pragma once

#include "backends/cpu/blur.h"
#include "engine/problem_shape.h"
#include "problem/prior.h"

namespace plenosr::cpu {

// The weights e (problem/prior.h), from the luma of x: one image, or one for each direction.
class Weights {
public:
    Weights(WeightsDesc desc, std::vector<Direction> directions, int width, int height,
            int channels);

    // e <- weights of x (channels x height x width)
    void compute(const float* x, float* e, Parallel& parallel);
    std::size_t bytes() const { return smooth_.bytes() + luma_.bytes() + occlusion_.bytes(); }
    static std::size_t bytes_for(const ProblemShape& shape);

private:
    void patch_weights(float* e, const Parallel& parallel) const;
    void weight_by_noise(int y, float* e_row) const;

    WeightsDesc desc_;  // its occlusion weights are in occlusion_
    std::vector<Direction> directions_;
    int width_;
    int height_;
    int channels_;
    Blur blur_;           // G_1
    PaddedImage smooth_;  // G_1 * luma
    Vector luma_;         // only for three channels
    Vector occlusion_;    // w_o; empty: 1
};

}  // namespace plenosr::cpu
