#pragma once

#include <cstddef>
#include <vector>

#include "problem/prior.h"

namespace plenosr {

// The smoothed image g with a border: pixel (x, y) is at[y * stride + x], and `border` pixels are
// stored on each side. Farther out g is constant along the normal of the border, because the image
// is continued by its border pixels and G_1 has the radius `border`.
struct SmoothPlane {
    static constexpr int border = 3;  // the radius of G_1
    const float* at = nullptr;
    std::ptrdiff_t stride = 0;
    int width = 0;
    int height = 0;
};

// Similarity of the patches around p and p + d (problem/prior.h), row by row:
//   w_d(p) = exp(-D_d(p) / g0^2)
class PatchSimilarity {
public:
    PatchSimilarity(const PatchDesc& patch, float g0, const std::vector<Direction>& directions,
                    int width);

    // Row y of all directions; the rows of two directions lie `plane` values apart.
    void row(const SmoothPlane& g, int y, float* w, std::size_t plane);

private:
    const float* line(int dy, int dx) const;  // row y + dy of g, shifted by dx

    PatchDesc patch_;
    float scale_;  // -1 / g0^2
    const std::vector<Direction>& directions_;
    int width_;
    int reach_;  // largest distance from p of a pixel that is used
    std::vector<float> lines_;
    std::vector<float> b_;
    std::vector<float> sum_;
};

}  // namespace plenosr
