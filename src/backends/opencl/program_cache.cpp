#include "backends/opencl/program_cache.h"

#include <fmt/format.h>

#include "base/cache.h"
#include "base/sha256.h"

namespace plenosr::opencl {

ProgramCache::ProgramCache(const cl::Device& device) : device_(device) {
    const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
    device_text_ = fmt::format(
        "device {}\ndriver {}\nversion {}\nplatform {} {}\n", device.getInfo<CL_DEVICE_NAME>(),
        device.getInfo<CL_DRIVER_VERSION>(), device.getInfo<CL_DEVICE_VERSION>(),
        platform.getInfo<CL_PLATFORM_NAME>(), platform.getInfo<CL_PLATFORM_VERSION>());
}

std::string ProgramCache::key(const std::string& source, const std::string& options) const {
    return fmt::format("{}options {}\nsource {}\n", device_text_, options, sha256_text(source));
}

std::optional<cl::Program> ProgramCache::load(const cl::Context& context,
                                              const std::string& key) const {
    constexpr std::size_t longest = 256U << 20U;
    const auto bytes = cache::load(cache::folder(), key, longest);
    if (!bytes) return std::nullopt;
    // PoCL ends the process by an assertion or a fault if a binary is not its own.
    const Temporary mark = cache::use_mark(cache::folder(), key);
    try {
        const cl::Program::Binaries binaries = {{bytes->begin(), bytes->end()}};
        cl::Program program(context, {device_}, binaries);
        program.build({device_});
        return program;
    } catch (const cl::Error&) {
        return std::nullopt;
    }
}

void ProgramCache::store(const cl::Program& program, const std::string& key) const {
    try {
        const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
        if (binaries.size() != 1 || binaries.front().empty()) return;
        const auto& binary = binaries.front();
        cache::store(cache::folder(), key,
                     {reinterpret_cast<const char*>(binary.data()), binary.size()});
    } catch (const cl::Error&) {
        return;  // a driver without access to its binaries compiles every time
    }
}

}  // namespace plenosr::opencl
