#pragma once

#include <deque>
#include <string>
#include <vector>

#include "backends/opencl/cl_api.h"
#include "plenosr/profile.h"

namespace plenosr::opencl {

// Sums up the times of commands by name, from their events. Events are looked at when many have
// gathered, by then mostly finished ones, so that the queue does not stall at each command.
class Profiler {
public:
    explicit Profiler(bool on) : on_(on) {}

    // Where the command about to be enqueued puts its event; null when nobody wants to know.
    cl_event* next(const std::string& name, std::size_t bytes);

    // All so far, the longest first; waits for commands that still run.
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
