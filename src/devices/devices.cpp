#include "plenosr/devices.h"

#include <algorithm>
#include <thread>

#include "backends/cpu/simd_rows.h"
#include "backends/opencl/platforms.h"
#include "backends/opencl/tuning_store.h"
#include "base/process_memory.h"
#include "plenosr/version.h"

namespace plenosr {
namespace {

DeviceDescription native_engine() {
    DeviceDescription d;
    d.id = "cpu";
    d.name = std::string("native engine, ") + cpu::simd_target();
    d.vendor = d.platform = "PlenoSR";
    d.driver = PLENOSR_VERSION;
    d.compute_units = std::thread::hardware_concurrency();
    d.global_memory = d.largest_allocation = process_memory();
    return d;
}

}  // namespace

const char* to_string(DeviceType type) {
    switch (type) {
        case DeviceType::native:
            return "native";
        case DeviceType::gpu:
            return "gpu";
        case DeviceType::accelerator:
            return "accelerator";
        case DeviceType::cpu:
            return "cpu";
        case DeviceType::other:
            break;
    }
    return "other";
}

std::vector<DeviceDescription> devices() {
    std::vector<DeviceDescription> list = {native_engine()};
    for (opencl::ListedDevice& device : opencl::listed_devices()) {
        DeviceDescription& d = device.description;
        const opencl::Usable usable = opencl::usable_strategy(opencl::tuning_for(d), d, 1, 1);
        if (d.type == DeviceType::cpu) {  // drivers report the machine's memory
            d.global_memory = std::min(d.global_memory, process_memory());
            d.largest_allocation = std::min(d.largest_allocation, process_memory());
        }
        d.strategy = opencl::to_string(usable.strategy);
        d.strategy_reason = usable.reason;
        list.push_back(std::move(d));
    }
    return list;
}

bool opencl_is_installed() {
    return opencl::has_loader();
}

}  // namespace plenosr
