#pragma once

#include <optional>
#include <vector>

#include "light_field/value_limits.h"
#include "plenosr/motion.h"

namespace plenosr {

// The noise of frames, from their samples on the high-resolution grid. There the scene is smooth,
// while single frames and their median consist of texture and aliases. Windows are spread over the
// image, each pixel takes the sample nearest to it, and the noise is estimated as for a single
// view. The result is an upper bound, because detail adds to it. Empty if samples lie too far
// apart.
std::optional<double> fine_grid_noise(const std::vector<const Image*>& frames,
                                      const std::vector<FrameMotion>& motions, int scale,
                                      const ValueLimits& limits);

}  // namespace plenosr
