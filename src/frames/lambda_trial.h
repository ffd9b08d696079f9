#pragma once

#include "light_field/value_limits.h"
#include "reconstruct_view.h"

namespace plenosr {

struct TrialFrames {
    const LightField& frames;
    const std::vector<FrameMotion>& motions;
    const std::vector<double>& trust;
    std::size_t reference;
    ValueLimits limits;
};

// Grain and fine texture all over an image look like noise to the rule for lambda, which then
// smooths them away. The residuals of a result distinguish them: noise is independent from sample
// to sample, while lost detail has passed through the blur and is similar in neighbouring samples.
// On the high-resolution grid, where the samples of all frames lie side by side, let r be the
// residuals and
//   c = mean of r(p) r(q) over neighbours p, q  /  mean of r^2.
// Some windows of the frames are solved with lambda, lambda / 2 and lambda / 4, until c is as low
// as white noise leaves it (below zero, because the result is fitted to the samples). Returns the
// factor applied to lambda: 1, 1/2 or 1/4.
//
// The factor is 1 without a trial if lambda or the iterations are given, if the samples do not
// cover the grid, if the motions are not small shifts, or if the frames are not much larger than
// the windows.
double lambda_factor_of_frames(const Engines& engines, const TrialFrames& trial,
                               const ReconstructOptions& options, const EarlierResults& known,
                               const Progress& progress);

// Sums for c.
struct Correlation {
    double neighbours = 0;  // sum of r(p) r(q)
    double pairs = 0;
    double squares = 0;  // sum of r^2
    double samples = 0;
    double value() const {
        return pairs > 0 && squares > 0 ? neighbours / pairs * samples / squares : 0;
    }
};
// Adds the residuals of one window; `blurred` is its result after the blur, one channel.
void add_residuals(const std::vector<Image>& frames, const std::vector<FrameMotion>& motions,
                   int scale, const Image& blurred, const ValueLimits& limits,
                   Correlation& correlation);

}  // namespace plenosr
