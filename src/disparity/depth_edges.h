#pragma once

#include "plenosr/image.h"

namespace plenosr {

// 1 where some view, up to `baseline` steps away, may see an edge of the scene come between: pixels
// p with a pixel q whose disparity differs so much that the parallax bridges their distance,
//   |p - q| <= baseline |d(p) - d(q)| + 2,   baseline |d(p) - d(q)| > 1/2.
// Both sides of an edge are marked, since the map may be wrong about where the edge is.
Image near_depth_edges(const Image& map, double baseline);

}  // namespace plenosr
