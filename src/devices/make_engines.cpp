#include "devices/make_engines.h"

#include <algorithm>

#include "backends/cpu/engine.h"
#include "backends/cpu/simd_rows.h"
#include "backends/opencl/engine.h"
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

}  // namespace

Engines make_engines(const ReconstructOptions& o, const Progress& progress) {
    const std::vector<std::string> names = device_names(o.device);
    const bool native = std::all_of(names.begin(), names.end(), [](auto& n) { return n == "cpu"; });
    std::vector<opencl::ListedDevice> devices;
    if (!native) devices = opencl::listed_devices();
    Engines engines;
    for (const std::string& name : names) {
        if (const opencl::ListedDevice* device = opencl::select_device(devices, name))
            engines.push_back(std::make_unique<opencl::OpenclEngine>(*device, engine_options(o)));
        else
            engines.push_back(std::make_unique<cpu::CpuEngine>(o.threads));
    }
    if (engines.size() == 1) engines.front()->report_compiling(progress);
    return engines;
}

std::string instruction_set() {
    return cpu::simd_target();
}

}  // namespace plenosr
