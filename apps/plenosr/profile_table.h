#pragma once

#include <string>
#include <vector>

#include "plenosr/profile.h"
#include "plenosr/reconstruct.h"
#include "report.h"

namespace plenosr::app {

// The stages of a reconstruction as in the paper, then each device's kernels: time, launches, GB/s
// and the share of what copying reaches on that device.
std::string profile_table(const StageSeconds& stages, const std::vector<DeviceProfile>& devices);

// The same numbers for the report: array of devices.
Json json_profile(const std::vector<DeviceProfile>& devices);

}  // namespace plenosr::app
