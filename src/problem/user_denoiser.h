#pragma once

#include <span>

#include "plenosr/reconstruct.h"

namespace plenosr {

// Applies a denoiser of the user to all channels; `planes` holds one channel after the other.
// Throws Error(input) if its result has another size or values that are not finite.
void denoise_by(const DenoiserFunction& function, std::span<float> planes, int width, int height,
                double sigma);

}  // namespace plenosr
