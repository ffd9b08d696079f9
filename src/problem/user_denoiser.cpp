#include "problem/user_denoiser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plenosr/error.h"
#include "problem/planar_layout.h"

namespace plenosr {

void denoise_by(const DenoiserFunction& function, std::span<float> planes, int width, int height,
                double sigma) {
    const Image noisy = from_planes(planes, width, height);
    const Image result = function(noisy, sigma);
    if (!result.same_size(noisy) || result.channels != noisy.channels)
        throw Error(ErrorKind::input,
                    fmt::format("The denoiser returned an image of {}x{} pixels with {} channels, "
                                "but must return {}x{} with {}.",
                                result.width, result.height, result.channels, width, height,
                                noisy.channels));
    if (!std::all_of(result.values.begin(), result.values.end(),
                     [](float value) { return std::isfinite(value); }))
        throw Error(ErrorKind::input, "The denoiser returned values that are not finite.");
    const std::vector<float> denoised = to_planes(result);
    std::copy(denoised.begin(), denoised.end(), planes.begin());
}

}  // namespace plenosr
