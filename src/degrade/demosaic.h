#pragma once

#include "plenosr/camera.h"
#include "plenosr/image.h"

namespace plenosr {

// The colour that a Bayer sensor records at (y, x): red at even rows and columns, blue at odd ones,
// green elsewhere. 0, 1, 2 are red, green, blue.
inline int bayer_channel(int y, int x) {
    return (y & 1) + (x & 1);
}

// What a Bayer sensor records of a colour image: one channel.
Image mosaicked(const Image& rgb);

// The colour image from the mosaic. The border is mirrored about its pixels, which keeps the
// pattern.
//   bilinear    each missing value is the mean of its two or four nearest neighbours of that colour
//   edge_aware  Hamilton and Adams (US patent 5629734, expired): green along the direction of the
//               smaller activity, with the Laplacian of the pixel's own colour as the correction,
//                   h = |G(x-1) - G(x+1)| + |2 C(x) - C(x-2) - C(x+2)|,
//                   G = (G(x-1) + G(x+1)) / 2 + (2 C(x) - C(x-2) - C(x+2)) / 4  if h is smaller,
//               likewise along y, or the mean of both if they are equal; then red and blue as green
//               plus the bilinear colour difference.
Image demosaicked(const Image& mosaic, Demosaic method);

}  // namespace plenosr
