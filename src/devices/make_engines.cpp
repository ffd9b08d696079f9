#include "devices/make_engines.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cpu/engine.h"
#include "backends/cpu/simd_rows.h"
#include "backends/opencl/engine.h"
#include "devices/device_pool.h"
#include "options/device_names.h"

namespace plenosr {
namespace {

opencl::EngineOptions engine_options(const ReconstructOptions& o) {
    opencl::EngineOptions result;
    result.profile = o.profile;
    result.threads = o.threads;
    switch (o.strategy) {
        case MemoryStrategy::automatic:
            break;
        case MemoryStrategy::buffer:
            result.strategy = opencl::Strategy::buffer;
            break;
        case MemoryStrategy::image:
            result.strategy = opencl::Strategy::image;
            break;
        case MemoryStrategy::local:
            result.strategy = opencl::Strategy::local;
            break;
    }
    return result;
}

// Engines with equal keys can stand in for each other.
std::string key_of(const std::string& name, const ReconstructOptions& o) {
    return fmt::format("{} {} {}", name, int(o.strategy), o.threads);
}

}  // namespace

Engines make_engines(const ReconstructOptions& o, const Progress& progress) {
    const std::vector<std::string> names = device_names(o.device);
    const bool native = std::all_of(names.begin(), names.end(), [](auto& n) { return n == "cpu"; });
    std::vector<opencl::ListedDevice> devices;
    const auto open = [&](const std::string& name) -> std::unique_ptr<Engine> {
        if (!native && devices.empty()) devices = opencl::listed_devices();
        if (const opencl::ListedDevice* device = opencl::select_device(devices, name))
            return std::make_unique<opencl::OpenclEngine>(*device, engine_options(o));
        return std::make_unique<cpu::CpuEngine>(o.threads);
    };
    Engines engines;
    for (const std::string& name : names)
        engines.push_back(o.devices && !o.profile
                              ? lent_engine(*o.devices, key_of(name, o), [&] { return open(name); })
                              : open(name));
    if (engines.size() == 1) engines.front()->report_compiling(progress);
    return engines;
}

std::string instruction_set() {
    return cpu::simd_target();
}

}  // namespace plenosr
