#pragma once

#include "disparity/refine.h"

namespace plenosr {

// refined_disparity() in as many tiles as the limit asks for, in bytes; 0: what this process may
// use beside images of `held` bytes. Tiles overlap by as far as the views see across their borders.
Image refine_in_tiles(const Image& full_disparity, const Image& solved, const RefineDesc& desc,
                      std::size_t memory_limit, std::size_t held = 0);

}  // namespace plenosr
