#pragma once

#include "plenosr/image.h"

namespace plenosr {

// Each pixel becomes the median of the values in the window of (2 radius + 1)^2 pixels around it,
// pixel q weighing  exp(-|guide(q) - guide(p)| / edge):  outliers go, and edges of the map move to
// the guide's.
Image weighted_median(const Image& map, const Image& guide, int radius, double edge);

}  // namespace plenosr
