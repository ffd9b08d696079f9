#pragma once

#include "plenosr/image.h"

namespace plenosr {

// The median over a window of (2 radius + 1)^2 pixels, in which pixel q has the weight
// exp(-|guide(q) - guide(p)| / edge).  It removes outliers and moves edges of the map to those of
// the guide.
Image weighted_median(const Image& map, const Image& guide, int radius, double edge);

}  // namespace plenosr
