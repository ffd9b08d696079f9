#pragma once

#include <span>
#include <vector>

#include "plenosr/image.h"

namespace plenosr {

// Solvers store channels as planes, (channel, y, x), instead of an image's (y, x, channel).
std::vector<float> to_planes(const Image& image);
Image from_planes(std::span<const float> planes, int width, int height);

}  // namespace plenosr
