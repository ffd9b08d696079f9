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

// All devices of all platforms; platforms by name, devices in their platform's order, so that an
// index means the same device every time. Platforms that fail are skipped.
std::vector<ListedDevice> listed_devices();

// The device that `request` means; null stands for the native CPU engine.
//   cpu            the native engine
//   auto           the fastest GPU, else the native engine
//   opencl         the fastest: GPU before accelerator before CPU, then compute units x clock
//   opencl:INDEX   as `plenosr devices` counts
//   opencl:PART    the one whose name or platform contains PART, in either case
// Error(device) lists what there is when none or more than one is meant.
const ListedDevice* select_device(const std::vector<ListedDevice>& devices,
                                  const std::string& request);

// $PLENOSR_DEVICE_MEMORY: devices are taken to have no more bytes than this. Without it: no bound.
std::uint64_t pretended_memory();

// Is there a library behind the functions of OpenCL? (loader.cpp)
bool has_loader();

}  // namespace plenosr::opencl
