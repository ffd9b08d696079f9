#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "plenosr/devices.h"
#include "plenosr/progress.h"

namespace plenosr {

// One way to run the kernels of a device, and how long a fixed piece of work took with it.
struct TuningTrial {
    std::string strategy;                              // buffer, image, local
    std::vector<std::pair<std::string, int>> numbers;  // "tile_width", 32, …
    double seconds = 0;                                // infinite if it could not be run ...
    std::string failure;                               // ... for this reason
};

struct TuneResult {
    DeviceDescription device;
    std::vector<TuningTrial> trials;  // the first is what was in use before
    std::size_t best = 0;
    std::string file;  // where it is kept, and found again by every later run
};

// Searches the tuning of the device that `device` means (as in ReconstructOptions) and keeps it.
// Error(device) if nothing runs, Error(output) if the result cannot be kept; Cancelled if
// `progress` says so, and then nothing is kept.
TuneResult tune(const std::string& device, const Progress& progress = {});

}  // namespace plenosr
