#pragma once

#include <functional>

#include "engine/engine.h"

namespace plenosr {

// Enlarges the image bicubically in bands of rows, so that no second image of the size of the
// result is needed: use(first row, band).
void enlarge_in_bands(const ImageView& low, const SamplingGrid& sampling, Engine& engine,
                      const std::function<void(int, const Image&)>& use);

// `image` holds the solved brightness in its first channel; the colours come from the enlarged
// reference view.
void colour_in(Image& image, const ImageView& reference, const SamplingGrid& sampling,
               Engine& engine);

}  // namespace plenosr
