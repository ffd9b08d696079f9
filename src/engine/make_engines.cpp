#include <fmt/format.h>

#include "backends/cpu/engine.h"
#include "engine/engine.h"
#include "plenosr/error.h"

namespace plenosr {

std::vector<std::string> device_names(const std::string& device) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= device.size();) {
        const std::size_t end = std::min(device.find(',', begin), device.size());
        names.push_back(device.substr(begin, end - begin));
        begin = end + 1;
        if (names.back() != "cpu")
            throw Error(
                ErrorKind::invalid_option,
                fmt::format("device = {} must be cpu, or a list of devices with commas", device));
    }
    return names;
}

std::vector<std::unique_ptr<Engine>> make_engines(const std::string& device, int threads) {
    std::vector<std::unique_ptr<Engine>> engines;
    for (std::size_t i = 0; i < device_names(device).size(); ++i)
        engines.push_back(std::make_unique<cpu::CpuEngine>(threads));
    return engines;
}

}  // namespace plenosr
