#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace plenosr {

enum class DeviceType {
    native,
    gpu,
    accelerator,
    cpu,
    other
};  // native: this library's own engine

// Where one can compute. Sizes are in bytes; what does not apply to a device is 0, false or empty.
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
    std::string strategy;       // which memory strategy it would use: buffer, image, local
    std::string strategy_reason;
};

const char* to_string(DeviceType type);

// The native CPU engine first, then all devices of all OpenCL platforms, the same order every
// time. Platforms that fail, and machines without OpenCL, simply have no devices here.
std::vector<DeviceDescription> devices();

// Is there an OpenCL loader on this machine, with or without devices behind it?
bool opencl_is_installed();

// `listener` is called before OpenCL kernels are compiled that are not in the cache, which may take
// a minute. Any thread may call it, one at a time. An empty function removes it. Programs have one
// listener: compiled kernels are shared by all jobs of the process.
void on_kernel_compilation(std::function<void()> listener);

}  // namespace plenosr
