#pragma once

#include <cstddef>
#include <span>

#include "plenosr/reconstruct.h"

namespace plenosr {

// Removes white Gaussian noise from a picture of one channel; grey levels. The result does not
// depend on the number of threads.

// Block matching and collaborative filtering (BM3D): for every 4th place in both directions, the up
// to 16 most similar 8 x 8 blocks within 10 pixels are stacked, transformed (cosine transform of
// each block, Walsh-Hadamard transform across them), filtered and put back, averaged with the
// weights 1 / (variance left). Twice: first coefficients below 2.7 sigma are dropped, then, with
// the result as a guide g, each is multiplied by Wiener's g^2 / (g^2 + sigma^2).
void denoise_bm3d(std::span<float> image, int width, int height, double sigma);

// Non-local means: each pixel becomes the mean of those within 10 pixels, weighted by
// exp(-D / sigma^2), D the mean squared difference of the 5 x 5 blocks around them.
void denoise_nlm(std::span<float> image, int width, int height, double sigma);

// One of them on every plane of an image.
void denoise(Denoiser kind, std::span<float> planes, int width, int height, double sigma);

// Bytes that they take at most, beside the image.
std::size_t denoise_bytes(int width, int height, int threads);

}  // namespace plenosr
