#pragma once

#include <optional>
#include <vector>

#include "plenosr/motion.h"

namespace plenosr {

// The noise of frames, from their samples put on the fine grid: there, `scale` times finer than the
// frames, the scene is smooth where single frames, and their median, are all texture and aliases.
// Windows spread over the image, every pixel the sample nearest to it; then as for single views.
// An upper bound: detail adds to it, nothing takes away. Nothing where samples lie too far apart.
std::optional<double> fine_grid_noise(const std::vector<const Image*>& frames,
                                      const std::vector<FrameMotion>& motions, int scale);

}  // namespace plenosr
