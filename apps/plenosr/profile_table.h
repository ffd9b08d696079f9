#pragma once

#include <string>
#include <vector>

#include "plenosr/profile.h"
#include "plenosr/reconstruct.h"

namespace plenosr::app {

// The stages of a reconstruction as in the paper, then the kernels of each device: time, launches,
// GB/s, and GB/s relative to copying on that device.
std::string profile_table(const StageSeconds& stages, const std::vector<DeviceProfile>& devices);

}  // namespace plenosr::app
