#pragma once

#include <string>
#include <vector>

#include "backends/opencl/cl_api.h"
#include "plenosr/devices.h"

namespace plenosr::opencl {

struct ListedDevice {
    DeviceDescription description;  // its id is "opencl:INDEX"
    cl::Device handle;
};

// All devices of all platforms. Platforms are sorted by name, devices keep their platform's order,
// so that an index always means the same device. Platforms that fail are skipped.
std::vector<ListedDevice> listed_devices();

// The device that `request` names; null stands for the native CPU engine.
//   cpu            the native engine
//   auto           the fastest GPU, otherwise the native engine
//   opencl         the fastest: GPU before accelerator before CPU, then compute units x clock
//   opencl:INDEX   the index that `plenosr devices` shows
//   opencl:PART    the device whose name or platform contains PART, ignoring case
// Throws Error(device) with a list of the devices if none or more than one matches.
const ListedDevice* select_device(const std::vector<ListedDevice>& devices,
                                  const std::string& request);

// $PLENOSR_DEVICE_MEMORY: an upper bound of each device's memory in bytes; unlimited if not set.
std::uint64_t pretended_memory();

// Whether an OpenCL library was found (loader.cpp).
bool has_loader();

}  // namespace plenosr::opencl
