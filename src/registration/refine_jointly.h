#pragma once

#include <vector>

#include "plenosr/frames.h"

namespace plenosr {

// Two aliased frames differ by more than their motion, and what they differ by pulls the motion.
// All frames together sample the scene finely enough, so each is registered again to all others:
//   min over h_k of  sum_q w (F(h_k q) - y_k(q))^2,    F the local linear fit to the samples of the
// other trusted frames, in a window about twice as wide as those samples lie apart; its slope is
// the gradient. No aliases are interpolated: y_k is compared where its pixels lie. A few
// Gauss-Newton steps with Tukey's weights for every frame in turn; then the reference is brought
// back to its place. A frame that would move far keeps its motion, and with few frames all of them
// do. `frames` are luma without impulses; motions without flow only.
void refine_jointly(const std::vector<Image>& frames, int reference, Registration what,
                    std::vector<FrameReport>& reports);

}  // namespace plenosr
