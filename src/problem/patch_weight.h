#pragma once

#include <cstddef>
#include <vector>

#include "problem/prior.h"

namespace plenosr {

// The smoothed image g around a picture: pixel (x, y) is at[y * stride + x], and `border` pixels
// are known on each side. Beyond them g is constant along the normal of the border, since G_1
// reaches no further.
struct SmoothPlane {
    static constexpr int border = 3;  // the radius of G_1
    const float* at = nullptr;
    std::ptrdiff_t stride = 0;
    int width = 0;
    int height = 0;
};

// How alike the patches around p and p + d are (problem/prior.h), row by row:
//   w_d(p) = exp(-D_d(p) / g0^2)
class PatchSimilarity {
public:
    PatchSimilarity(const PatchDesc& patch, float g0, const std::vector<Direction>& directions,
                    int width);

    // Row y of all directions; they lie `plane` values apart.
    void row(const SmoothPlane& g, int y, float* w, std::size_t plane);

private:
    const float* line(int dy, int dx) const;  // of the rows around y, shifted

    PatchDesc patch_;
    float scale_;  // -1 / g0^2
    const std::vector<Direction>& directions_;
    int width_;
    int reach_;  // how far from p a pixel may lie
    std::vector<float> lines_;
    std::vector<float> b_;
    std::vector<float> sum_;
};

}  // namespace plenosr
