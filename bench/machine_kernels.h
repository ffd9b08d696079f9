#pragma once

#include <cstddef>

namespace plenosr::bench {

// Kernels that measure the machine's limits, with the vector width that the engine uses.
void triad(const float* b, const float* c, float* a, std::size_t n);  // a <- b + 3 c
float read_all(const float* a, std::size_t n);                        // a sum; reads only
float multiply_add(int rounds);  // fma_per_round() multiply-adds of single floats per round
int fma_per_round();

}  // namespace plenosr::bench
