#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

// Time that a device spent on one kernel, or on one kind of transfer.
struct KernelProfile {
    std::string name;
    std::size_t launches = 0;
    double seconds = 0;  // on the device, from its own clock
    double bytes = 0;    // read and written at least
};

struct DeviceProfile {
    std::string device;
    std::vector<KernelProfile> kernels;  // the longest first
    double bandwidth = 0;                // of a copy on the device, bytes per second
    double build_seconds = 0;            // to compile kernels, or to load them from the cache
};

}  // namespace PLENOSR_EXPORT
