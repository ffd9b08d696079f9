#pragma once

#include <optional>
#include <string>

#include "backends/opencl/cl_api.h"

namespace plenosr::opencl {

// Compiled programs on disk (base/cache.h), by device, driver, platform version, source and
// options. A binary that the driver refuses counts as missing.
class ProgramCache {
public:
    explicit ProgramCache(const cl::Device& device);

    std::string key(const std::string& source, const std::string& options) const;

    // The built program, if the folder has it.
    std::optional<cl::Program> load(const cl::Context& context, const std::string& key) const;
    void store(const cl::Program& program, const std::string& key) const;

private:
    cl::Device device_;
    std::string device_text_;
};

}  // namespace plenosr::opencl
