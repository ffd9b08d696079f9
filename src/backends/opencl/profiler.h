#pragma once

#include <deque>
#include <string>
#include <vector>

#include "backends/opencl/cl_api.h"
#include "plenosr/profile.h"

namespace plenosr::opencl {

// Sums up the times of commands by name, from their events. Events are evaluated in batches, when
// most of them have finished, so that the queue does not stall at each command.
class Profiler {
public:
    explicit Profiler(bool on) : on_(on) {}

    // Where the next command stores its event; null if profiling is off.
    cl_event* next(const std::string& name, std::size_t bytes);

    // All commands so far, the longest first; waits for running commands.
    std::vector<KernelProfile> kernels();
    bool on() const { return on_; }

private:
    struct Pending {
        std::size_t entry;
        cl::Event event;
    };
    void collect(bool wait);

    bool on_;
    std::vector<KernelProfile> entries_;
    std::deque<Pending> pending_;
};

}  // namespace plenosr::opencl
