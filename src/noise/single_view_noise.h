#pragma once

#include "plenosr/image.h"

namespace plenosr {

// Noise of one view, with nothing known of the scene.
struct SensorNoise {
    double sigma = 0;     // standard deviation of the Gaussian part, grey levels
    double impulses = 0;  // fraction of pixels that are 0 or 255 for no reason of the scene
};

// sigma: second differences  r = (y(x-1) - 2 y(x) + y(x+1)) / sqrt(6)  along rows and columns see
// little of a smooth scene; pixels at the limits take no part. Of the blocks of 16 x 16 pixels,
// those with the least spread show noise alone.
// impulses: how many more pixels lie at a limit than clipped noise explains, where the pixels
// around them are far from that limit.
// One channel is looked at: luma.
SensorNoise single_view_noise(const Image& view);

}  // namespace plenosr
