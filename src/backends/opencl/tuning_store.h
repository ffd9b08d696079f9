#pragma once

#include <filesystem>
#include <optional>

#include "backends/opencl/tuning.h"

namespace plenosr::opencl {

// The results of `plenosr tune`, per device and driver, in tuning.json of the cache folder:
//   {"devices": {"NAME, driver DRIVER": {"strategy": "local", "vector": 8, …}, …}}
std::filesystem::path tuning_file();

// Empty if the device is not in the file, or if its entry is damaged or does not fit the device.
std::optional<Tuning> stored_tuning(const DeviceDescription& device);

// Replaces the device's entry and keeps the others. Error(output) if the file cannot be written.
void store_tuning(const DeviceDescription& device, const Tuning& tuning);

// The stored tuning, otherwise the default.
Tuning tuning_for(const DeviceDescription& device);

}  // namespace plenosr::opencl
