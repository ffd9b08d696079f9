#pragma once

#include "engine/engine.h"
#include "tiles/setup.h"

namespace plenosr {

// The sizes of a tile's problem, from which its memory follows before anything is allocated.
ProblemShape problem_shape(const Setup& setup, const Tile& tile, NormalForm normal);

struct MemoryNeed {
    std::size_t bytes = 0;    // at the peak
    std::size_t largest = 0;  // single allocation
};
// Host memory of a tile in the pipeline and memory of the engine together.
MemoryNeed memory_of_tile(const ProblemShape& shape, const Engine& engine);

}  // namespace plenosr
