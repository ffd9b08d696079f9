#pragma once

#include <vector>

#include "plenosr/frames.h"

namespace plenosr {

// Two aliased frames differ by more than their motion, and the aliases bias the estimate. All
// frames together sample the scene finely enough, so each frame is registered again to all others:
//   min over h_k of  sum_q w (F(h_k q) - y_k(q))^2
// F is the local linear fit to the samples of the other trusted frames, in a window about twice as
// wide as the distance between those samples; its slope is the gradient. No alias is interpolated,
// because y_k is compared at its own pixels. Each frame gets a few Gauss-Newton steps with Tukey's
// weights; then all motions are taken relative to the reference's. A frame that would move far
// keeps its motion. If all motions then lie on the lattice as exactly as registration can tell,
// they are moved onto it. Does nothing unless the motions are translations on a lattice of 1/m
// pixel. `frames` are luma without impulses.
void refine_jointly(const std::vector<Image>& frames, int reference, Registration motion,
                    std::vector<FrameReport>& reports);

}  // namespace plenosr
