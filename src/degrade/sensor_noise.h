#pragma once

#include "degrade/counter_random.h"
#include "plenosr/degrade.h"

namespace plenosr {

// y <- clip(N(y)), N as in DegradeOptions, rounded to whole numbers if `round` is set.
void add_noise(Image& y, const CounterRandom& random, const DegradeOptions& options, bool round);

// Sets a percentage of the pixels to 0 or 255, all channels alike.
void add_impulses(Image& y, const CounterRandom& random, double percent);

}  // namespace plenosr
