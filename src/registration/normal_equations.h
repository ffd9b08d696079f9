#pragma once

#include <array>
#include <optional>
#include <vector>

#include "plenosr/frames.h"

namespace plenosr {

// Unknowns of a motion without flow.
std::size_t parameters_of(Registration motion);

// Coordinates in which an image covers about [-1, 1]^2, so that the system is well conditioned.
struct Normalised {
    double cx;
    double cy;
    double unit;  // pixels

    explicit Normalised(const Image& image);
};

// The sums of one Gauss-Newton step for a motion Delta of an image T, a gain and an offset:
//   sum w (r + v da + db - grad T . (dDelta/d delta) delta)^2,   w Tukey's weights for |r| < cut
class NormalEquations {
public:
    NormalEquations(Registration motion, const Normalised& normalised);

    // (x, y) is the pixel's place in T, (gx, gy) the gradient per pixel, v the value that the gain
    // multiplies.
    void add(double x, double y, double gx, double gy, double v, double r, double cut);
    void add(const NormalEquations& other);

    struct Step {
        std::array<double, 9> delta;  // Delta, in pixels
        double gain = 0;
        double offset = 0;
    };
    std::optional<Step> solve() const;  // empty if the pixels do not determine a step

private:
    static constexpr std::size_t most_unknowns = 10;  // a homography, gain and offset

    Registration motion_;
    std::size_t count_;  // parameters of the motion
    Normalised normalised_;
    std::array<std::array<double, most_unknowns>, most_unknowns> matrix_{};  // the lower half
    std::array<double, most_unknowns> right_{};
    double pixels_ = 0;
};

// The largest distance between the places of a corner of the image under two homographies, pixels.
double corner_distance(const std::array<double, 9>& a, const std::array<double, 9>& b,
                       const Image& image);

// The median of |r|, weighted by the squared gradient, as the pixels are in a step.
struct WeightedResidual {
    float r;
    float weight;
};
double weighted_median_residual(std::vector<WeightedResidual>& values);

}  // namespace plenosr
