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
    std::string failure;  // why it could not be run; empty if it could
};

// Seconds of a fixed piece of work with a tuning; throws Error or OutOfMemory where it cannot run.
using Measure = std::function<double(const Tuning&)>;

// One thing to vary: what to try next, given the best so far.
using Axis = std::function<std::vector<Tuning>(const Tuning&)>;

// The axes worth trying on a device: strategy, vector width, tiles, cells, groups. What does not
// fit the device is not among them.
std::vector<Axis> tuning_axes(const DeviceDescription& device);

struct TuneSearch {
    std::vector<Trial> trials;  // in the order of their measurement, the start first
    std::size_t best = 0;
};

// Along one axis after the other, each time from the best so far: as many measurements as there are
// values, not as combinations. A candidate wins if it is faster by more than the measurements'
// scatter. Nothing is measured twice. `watch` hears of each trial.
TuneSearch tune(const Tuning& start, const std::vector<Axis>& axes, const Measure& measure,
                const std::function<void(const Trial&)>& watch = {});

}  // namespace plenosr::opencl
