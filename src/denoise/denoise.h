#pragma once

#include <cstddef>
#include <span>

#include "plenosr/reconstruct.h"

namespace plenosr {

// Denoisers for white Gaussian noise in an image of one channel. sigma is in grey levels. Results
// do not depend on the number of threads. bm3d_parameters.h has the tuned numbers of BM3D.

// Block matching and collaborative filtering (BM3D). At every 4th pixel in both directions, up to
// 16 of the most similar 8 x 8 blocks within 10 pixels are stacked, transformed (cosine transform
// of each block, Walsh-Hadamard transform across them), filtered and transformed back. Overlapping
// blocks are averaged with the weights 1 / (remaining variance). The first pass sets coefficients
// below 2.7 sigma to zero. The second multiplies each by Wiener's g^2 / (g^2 + sigma^2), where the
// guide g is the result of the first.
void denoise_bm3d(std::span<float> image, int width, int height, double sigma);

// Non-local means: each pixel becomes the mean of those within 10 pixels, weighted by
// exp(-D / sigma^2), D the mean squared difference of the 5 x 5 blocks around them.
void denoise_nlm(std::span<float> image, int width, int height, double sigma);

// Applies one of them to every channel; `planes` holds one channel after the other.
void denoise(Denoiser kind, std::span<float> planes, int width, int height, double sigma);

// Upper bound of their memory in bytes, beside the image.
std::size_t denoise_bytes(int width, int height, int threads);

}  // namespace plenosr
