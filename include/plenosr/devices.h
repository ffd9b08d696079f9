#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

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

// Keeps the devices that calls have opened for later calls, which then start no threads, open no
// device and compile no kernel anew: ReconstructOptions::devices, DisparityOptions::devices. Calls
// of several threads may share it: each takes a device of its own. Results do not depend on it.
class DevicePool {
public:
    DevicePool();
    ~DevicePool();
    DevicePool(const DevicePool&) = delete;
    DevicePool& operator=(const DevicePool&) = delete;

    std::size_t idle() const;  // devices that are kept

    struct Content;  // used by the library

private:
    friend std::shared_ptr<Content> content_of(const DevicePool& pool);
    std::shared_ptr<Content> content_;
};

// Whether an OpenCL loader is installed, with or without devices.
bool opencl_is_installed();

}  // namespace PLENOSR_EXPORT
