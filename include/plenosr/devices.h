#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plenosr {

enum class DeviceType {
    native,  // this library's own engine
    gpu,
    accelerator,
    cpu,
    other,
};

// A compute device. Sizes are in bytes; values that do not apply to a device are 0, false or empty.
struct DeviceDescription {
    std::string id;  // what --device takes: "cpu", "opencl:0", "opencl:1", …
    DeviceType type = DeviceType::native;
    std::string name;
    std::string vendor;
    std::string platform;
    std::string platform_version;
    std::string driver;
    std::string version;  // of OpenCL
    unsigned compute_units = 0;
    unsigned clock_mhz = 0;
    std::uint64_t global_memory = 0;
    std::uint64_t largest_allocation = 0;
    std::uint64_t local_memory = 0;
    std::size_t work_group_limit = 0;  // work-items per group
    bool images = false;
    bool float_images = false;    // one float per pixel, read and written
    std::size_t image_width = 0;  // the largest Image2D
    std::size_t image_height = 0;
    bool fp64 = false;
    bool half = false;
    unsigned vector_width = 0;  // floats of a native vector
    bool available = true;      // and able to compile kernels
    std::string strategy;       // memory strategy that it would use: buffer, image, local
    std::string strategy_reason;
};

const char* to_string(DeviceType type);

// The native CPU engine, then all devices of all OpenCL platforms, always in the same order.
// Platforms that fail are left out.
std::vector<DeviceDescription> devices();

// Whether an OpenCL loader is installed, with or without devices.
bool opencl_is_installed();

}  // namespace plenosr
