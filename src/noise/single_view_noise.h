#pragma once

#include "plenosr/image.h"

namespace plenosr {

// Noise of one view, with nothing known of the scene.
struct SensorNoise {
    double sigma = 0;     // standard deviation of the Gaussian part, grey levels
    double impulses = 0;  // fraction of pixels that are 0 or 255 for no reason of the scene
};

// sigma: cross differences  r = (y(x, y) - y(x+1, y) - y(x, y+1) + y(x+1, y+1)) / 2  see nothing of
// slopes, nor of edges along the axes; pixels at the limits take no part. Of the blocks of 16 x 16
// pixels, those with the least spread, 1.4826 median |r|, show noise alone.
// impulses: how many more pixels lie at a limit than clipped noise explains, where the pixels
// around them are far from that limit.
// One channel is looked at: luma.
// Which blocks count as the quietest: this share of all, whose spread noise alone would make so
// much too low.
struct QuietBlocks {
    double share = 0.15;
    double bias = 0.90;
};
SensorNoise single_view_noise(const Image& view, const QuietBlocks& quiet = {});

}  // namespace plenosr
