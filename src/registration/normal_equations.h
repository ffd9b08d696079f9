#pragma once

#include <array>
#include <optional>
#include <vector>

#include "plenosr/frames.h"

namespace plenosr {

// Coordinates in which an image is about [-1, 1]^2: the system is well conditioned.
struct Normalised {
    double cx;
    double cy;
    double unit;  // pixels

    explicit Normalised(const Image& image);
};

// The sums of one Gauss-Newton step for a motion Delta of a picture T, beside a gain and an offset:
//   sum w (r + v da + db - grad T . (dDelta/d delta) delta)^2,   w Tukey's weights for |r| < cut
class NormalEquations {
public:
    NormalEquations(Registration what, const Normalised& normalised);

    // (x, y): the pixel's place in T; the gradient per pixel; v the value that the gain multiplies.
    void add(double x, double y, double gx, double gy, double v, double r, double cut);
    void add(const NormalEquations& other);

    struct Step {
        std::array<double, 9> delta;  // Delta, in pixels
        double gain = 0;
        double offset = 0;
    };
    std::optional<Step> solve() const;  // nothing where the pixels do not tell

private:
    static constexpr std::size_t most = 10;  // unknowns: a homography, gain and offset

    Registration what_;
    std::size_t count_;  // of the motion's parameters
    Normalised normalised_;
    std::array<std::array<double, most>, most> matrix_{};  // the lower half
    std::array<double, most> right_{};
    double pixels_ = 0;
};

// The farthest that a corner of the image moves, in pixels, if one homography becomes the other.
double corner_distance(const std::array<double, 9>& a, const std::array<double, 9>& b,
                       const Image& image);

// The median of |r|, in which pixels count by their squared gradient, as they do in a step.
struct WeightedResidual {
    float r;
    float weight;
};
double weighted_median(std::vector<WeightedResidual>& values);

}  // namespace plenosr
