#pragma once

#include "plenosr/image.h"

namespace plenosr {

// 1 where a depth edge may hide a pixel from some view, up to `baseline` steps away: pixels p with
// a pixel q whose parallax bridges their distance,
//   |p - q| <= baseline |d(p) - d(q)| + 2,   baseline |d(p) - d(q)| > 1/2.
// Both sides of an edge are marked, because the map may place the edge wrongly.
Image near_depth_edges(const Image& map, double baseline);

}  // namespace plenosr
