#pragma once

#include "plenosr/frames.h"

namespace plenosr {

// B x of a quick result x from grey frames, at high resolution: four iterations without a denoiser.
// If the blur is still to be estimated, the default one is used: a narrow blur explains less. The
// sample at the place p of the reference should show the value at scale * p.
Image quick_blurred_result(const std::vector<Image>& frames,
                           const std::vector<FrameReport>& reports, const FramesOptions& options,
                           const ReconstructOptions& solve, const Progress& progress);

// The value of a grey frame's pixel, as bright as the reference if frames are equalised.
float value_as_reference(const Image& frame, int x, int y, const FrameReport& report,
                         Photometric photometric);

}  // namespace plenosr
