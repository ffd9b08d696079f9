#pragma once

#include "engine/engine.h"

namespace plenosr {

// `image` holds the solved brightness in its first channel; the colours come from the enlarged
// reference view. Band by band, so that no second image of this size is needed.
void colour_in(Image& image, const Image& reference, const SamplingGrid& sampling, Engine& engine);

}  // namespace plenosr
