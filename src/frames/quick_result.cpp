#include "frames/quick_result.h"

#include <algorithm>

#include "estimate_blur.h"
#include "noise/residual_noise.h"
#include "registration/frame_fit.h"
#include "tiles/setup.h"

namespace plenosr {
namespace {

// Not tuned: a few, since the result is only compared with frames after the blur.
constexpr int quick_iterations = 4;

}  // namespace

Image quick_blurred_result(const std::vector<Image>& frames,
                           const std::vector<FrameReport>& reports, const FramesOptions& options,
                           const ReconstructOptions& solve, const Progress& progress) {
    ReconstructOptions quick = solve;
    quick.iterations = std::min(solve.iterations.value_or(quick_iterations), quick_iterations);
    quick.denoiser = Denoiser::none;
    quick.self_check = false;
    quick.keep_iterations = 0;
    if (is_automatic(quick.blur)) quick.blur = BlurSpec();
    const ReconstructResult result = reconstruct_frames(frames, reports, options, quick, progress);
    return ResidualNoise::blurred(
        luma(result.image), psf_for(result.chosen, frames.front().width, frames.front().height));
}

float value_as_reference(const Image& frame, int x, int y, const FrameReport& report,
                         Photometric photometric) {
    const float value = frame.at(y, x);
    return is_equalised(report, photometric)
               ? float(gain_at(report, over_frame(frame, x, y))) * value + float(report.offset)
               : value;
}

}  // namespace plenosr
