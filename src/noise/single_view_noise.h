#pragma once

#include "light_field/value_limits.h"

namespace plenosr {

// Noise of one view, estimated without any knowledge of the scene.
struct SensorNoise {
    double sigma = 0;     // standard deviation of the Gaussian part, grey levels
    double impulses = 0;  // fraction of pixels that are at a limit for no reason of the scene
};

// Which blocks count as the quietest. Even in pure noise their spread is too low, because the
// lowest values are selected; the spread is divided by `bias` for that. On what data the values
// were chosen is not recorded. On the centre views of five scenes of the 4D Light Field Benchmark,
// x2, sigma = 20 is estimated as 19.8 to 20.6, and sigma = 5 as 4.9 to 5.8 (8-bit views give
// multiples of 0.82). Doubling the share raises the estimates for sigma = 20 by 4 to 8 %; the
// estimate is divided by the bias, so it changes in proportion.
struct QuietBlocks {
    double share = 0.15;  // quantile of the blocks' spread that is taken
    double bias = 0.90;   // that quantile in pure noise, divided by sigma
};

// sigma: cross differences  r = (y(x, y) - y(x+1, y) - y(x, y+1) + y(x+1, y+1)) / 2  do not respond
// to slopes, nor to edges along the axes. Pixels at a limit are left out. Of the blocks of 16 x 16
// pixels, those with the smallest spread 1.4826 median |r| show noise alone.
// impulses: the number of pixels at a limit, less those that clipped noise explains, in blocks
// whose level is far from that limit. Colour views are converted to luma.
SensorNoise single_view_noise(const ImageView& view, const ValueLimits& limits,
                              const QuietBlocks& quiet = {});

}  // namespace plenosr
