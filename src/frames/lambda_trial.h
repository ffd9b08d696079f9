#pragma once

#include "reconstruct_view.h"

namespace plenosr {

// Grain and fine texture all over a picture look like noise to the rule for lambda, which then
// smooths them away. They are told apart by what a result leaves unexplained: noise differs from
// sample to sample, lost detail, having gone through the blur, is alike in neighbours. On the fine
// grid, where the samples of all frames lie side by side, let r be the residuals, and
//   c = mean of r(p) r(q) over neighbours p, q  /  mean of r^2.
// Some windows of the frames are solved with lambda, lambda / 2, lambda / 4 until c is as low as
// white noise leaves it, which a fit to the samples makes negative. Returns 1, 1/2 or 1/4.
//
// Frames without samples everywhere on the fine grid, with motions other than small shifts, or not
// much larger than the windows: 1.
double lambda_share_of_frames(const Engines& engines, const LightField& frames,
                              const std::vector<FrameMotion>& motions,
                              const std::vector<double>& trust, std::size_t reference,
                              const ReconstructOptions& options, const EarlierResults& known,
                              const Progress& progress);

// c of a result; `blurred`: the result after the blur, one channel.
struct Correlation {
    double neighbours = 0;  // sum of r r' over neighbours, and their number
    double pairs = 0;
    double squares = 0;  // sum of r^2, and their number
    double samples = 0;
    double value() const {
        return pairs > 0 && squares > 0 ? neighbours / pairs * samples / squares : 0;
    }
};
void add_residuals(const std::vector<Image>& frames, const std::vector<FrameMotion>& motions,
                   int scale, const Image& blurred, Correlation& correlation);

}  // namespace plenosr
