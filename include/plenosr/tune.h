#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "plenosr/devices.h"
#include "plenosr/export.h"
#include "plenosr/progress.h"

namespace plenosr PLENOSR_EXPORT {

// One tuning of a device's kernels, and the time of a fixed piece of work with it.
struct TuningTrial {
    std::string strategy;                              // buffer, image, local
    std::vector<std::pair<std::string, int>> numbers;  // "tile_width", 32, …
    double seconds = 0;                                // infinite if it could not run
    std::string failure;                               // why it could not run
};

struct TuneResult {
    DeviceDescription device;
    std::vector<TuningTrial> trials;  // the first is the tuning that was in use before
    std::size_t best = 0;
    std::string file;  // where the result is stored and found by later runs
};

// Searches the best tuning of the device that `device` names (as in ReconstructOptions) and stores
// it. Throws Error(device) if no tuning runs, Error(output) if the result cannot be stored, and
// Error(cancelled) if `progress` returns false; then nothing is stored.
TuneResult tune(const std::string& device, const Progress& progress = {});

}  // namespace PLENOSR_EXPORT
