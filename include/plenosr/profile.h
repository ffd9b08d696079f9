#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace plenosr {

// What a device spent on one kernel, or on one kind of transfer.
struct KernelProfile {
    std::string name;
    std::size_t launches = 0;
    double seconds = 0;  // on the device, from its own clock
    double bytes = 0;    // that had to be read and written at least
};

struct DeviceProfile {
    std::string device;
    std::vector<KernelProfile> kernels;  // the longest first
    double bandwidth = 0;                // bytes per second that copying reaches on the device
    double build_seconds = 0;            // compiling kernels, or loading them from the cache
};

}  // namespace plenosr
