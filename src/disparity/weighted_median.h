#pragma once

#include "plenosr/image.h"

namespace plenosr {

// Each pixel becomes the median of the values in the window of (2 radius + 1)^2 pixels around it,
// pixel q weighing  confidence(q) exp(-|guide(q) - guide(p)| / edge):  outliers go, edges of the
// guide stay.
Image weighted_median(const Image& map, const Image& guide, const Image& confidence, int radius,
                      double edge);

}  // namespace plenosr
