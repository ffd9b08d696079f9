#pragma once

#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// Guided filter (He, Sun, Tang): with M the mean over a window of (2 r + 1)^2 pixels, cut at the
// border, and G the guide,
//   a = (M(G p) - M G M p) / (M(G^2) - (M G)^2 + epsilon),   b = M p - a M G,
//   out = M a G + M b
class GuidedFilter {
public:
    GuidedFilter(const Image& guide, int radius, float epsilon);

    struct Scratch {
        std::vector<float> a, b, vertical;
    };
    void apply(float* plane, Scratch& scratch) const;  // in place

    const std::vector<float>& mean_of_guide() const { return mean_; }        // M G
    const std::vector<float>& inverse_variance() const { return inverse_; }  // with epsilon

private:
    void mean(const float* in, float* out, std::vector<float>& row) const;  // M

    int width_, height_, radius_;
    std::vector<float> guide_;
    std::vector<float> mean_;     // M G
    std::vector<float> inverse_;  // 1 / (variance + epsilon)
    std::vector<float> share_;    // 1 / pixels of the window's part inside, along x
};

}  // namespace plenosr
