#pragma once

#include "plenosr/frames.h"

namespace plenosr {

// Sets the weights of suspect samples (below 1) of the reports to 1 unless motion is confirmed. A
// result from all samples explains aliases, while it cannot explain samples that contradict each
// other: then it is far from the frame, or from the reference, or from both. Where G_2 * (y -
// ref)^2 is D^2 around a suspect sample, r are the residuals of the frame or of the reference and n
// is their robust spread, the sample is confirmed if
//   G_2 * (r^2 - e^2 |grad B x|^2) > n^2 + 0.6 n^2 + 3^2 + (0.25 D')^2     D'^2 = max(D^2 - 2 n^2,
//   0) or  |G_2 * r| > 0.56 n + 2 + 0.25 D'
// for one of both. e = 0.2 pixels covers misregistration, and detail that is too fine for the
// result. A connected region of suspect samples is left out if confirmed samples have half of its
// sum of D^2: within a moving thing some places look alike by chance. Frames without such a region
// get no weights. x is a quick result (quick_result.h), so there must be clearly more samples than
// pixels of the result: with fewer it explains contradictions by a mesh.
void confirm_motion(const std::vector<Image>& frames, std::vector<FrameReport>& reports,
                    const FramesOptions& options, const ReconstructOptions& solve,
                    const Progress& progress);

}  // namespace plenosr
