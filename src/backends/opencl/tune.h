#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "backends/opencl/tuning.h"

namespace plenosr::opencl {

struct Trial {
    Tuning tuning;
    double seconds = std::numeric_limits<double>::infinity();
    std::string failure;  // why it could not run; empty if it could
};

// Seconds of a fixed piece of work with a tuning; throws Error or OutOfMemory if it cannot run.
using Measure = std::function<double(const Tuning&)>;

// One parameter to vary: the candidates, given the best tuning so far.
using Axis = std::function<std::vector<Tuning>(const Tuning&)>;

// The axes to search on a device: strategy, vector width, tiles, cells, groups. Candidates that do
// not fit the device are left out.
std::vector<Axis> tuning_axes(const DeviceDescription& device);

struct TuneSearch {
    std::vector<Trial> trials;  // in the order of their measurement, the start first
    std::size_t best = 0;
};

// Searches along one axis after the other, each time from the best tuning so far: the number of
// measurements is the sum of the axes' lengths, not the product. A candidate wins if it is faster
// by more than the scatter of the measurements. No tuning is measured twice. `watch` is called
// after each trial.
TuneSearch tune(const Tuning& start, const std::vector<Axis>& axes, const Measure& measure,
                const std::function<void(const Trial&)>& watch = {});

}  // namespace plenosr::opencl
