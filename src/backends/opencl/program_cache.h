#pragma once

#include <optional>
#include <string>

#include "backends/opencl/cl_api.h"

namespace plenosr::opencl {

// Compiled programs on disk (base/cache.h), kept by device, driver, platform version, source and
// options. What the driver refuses is as good as missing.
class ProgramCache {
public:
    explicit ProgramCache(const cl::Device& device);

    std::string key(const std::string& source, const std::string& options) const;

    // Built and ready, if the folder has it.
    std::optional<cl::Program> load(const cl::Context& context, const std::string& key) const;
    void store(const cl::Program& program, const std::string& key) const;

private:
    cl::Device device_;
    std::string device_text_;
};

}  // namespace plenosr::opencl
