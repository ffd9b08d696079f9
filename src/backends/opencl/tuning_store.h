#pragma once

#include <filesystem>
#include <optional>

#include "backends/opencl/tuning.h"

namespace plenosr::opencl {

// What `plenosr tune` found, per device and driver, in tuning.json of the cache folder:
//   {"devices": {"NAME, driver DRIVER": {"strategy": "local", "vector": 8, …}, …}}
std::filesystem::path tuning_file();

// Nothing if the device is not in the file, or if its entry is damaged or does not fit the device.
std::optional<Tuning> stored_tuning(const DeviceDescription& device);

// Replaces the device's entry; the others stay. Error(output) if the file cannot be written.
void store_tuning(const DeviceDescription& device, const Tuning& tuning);

// What to use on a device: stored, else default.
Tuning tuning_for(const DeviceDescription& device);

}  // namespace plenosr::opencl
