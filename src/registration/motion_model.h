#pragma once

#include <array>
#include <vector>

#include "registration/align.h"

namespace plenosr {

// Which model explains the motion of a frame, judged by the motions of its parts. An alignment by
// the most general model leaves in each block of pixels a displacement d, by one Gauss-Newton step
//   G d = -sum w g r,   G = sum w g g',   g the gradient of the reference, r the residual.
// If that model is right, d is only error: noise, which falls with G, and aliases, which do not. So
// along an eigenvector of G with the eigenvalue l
//   variance(d) = s^2 / l + t^2,
// where s and t are measured from the blocks themselves. Each simpler model is fitted to the places
// of the blocks with these weights, and
//   misfit = sum (distance between the model and the block)^2 / variance
// exceeds that of the general model by about one for each parameter that the simpler one lacks, if
// the simpler model is right.
struct MotionModels {
    static constexpr std::array<Registration, 4> list = {
        Registration::translation, Registration::similarity, Registration::affine,
        Registration::homography};
    std::array<std::array<double, 9>, 4> warps{};  // reference -> frame
    std::array<double, 4> misfits{};
    double observations = 0;  // displacements that count: two for each block
    bool known = false;       // there were enough blocks
    double elsewhere = 0;     // fraction of the blocks that even the general model leaves displaced
};
MotionModels motion_models(const Pyramid& reference, const Pyramid& frame,
                           const Alignment& general);

// The index in MotionModels::list of the simplest model that explains all of these frames together:
// its misfit exceeds that of the general one by at most log(observations) for each parameter that
// it lacks (the Bayesian information criterion).
std::size_t simplest_model(const std::vector<MotionModels>& frames);

}  // namespace plenosr
