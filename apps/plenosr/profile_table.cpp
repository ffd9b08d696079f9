#include "profile_table.h"

#include <fmt/format.h>

namespace plenosr::app {
namespace {

constexpr double giga = 1e9;

// Bytes per second; 0 if no time was measured.
double rate(const KernelProfile& kernel) {
    return kernel.seconds > 0 ? kernel.bytes / kernel.seconds : 0.0;
}

std::string or_dash(bool known, const std::string& text) {
    return known ? text : "-";
}

std::string kernels_of(const DeviceProfile& device) {
    std::string text = fmt::format("\n{}\n", device.device);
    if (device.bandwidth > 0)
        text += fmt::format("copying reaches {:.1f} GB/s; ", device.bandwidth / giga);
    text += fmt::format("kernels were built in {:.3f} s\n", device.build_seconds);
    if (device.kernels.empty()) return text;
    text += fmt::format("{:<24} {:>10} {:>9} {:>8} {:>7}\n", "kernel", "seconds", "launches",
                        "GB/s", "share");
    double total = 0;
    for (const KernelProfile& kernel : device.kernels) {
        const double r = rate(kernel);
        total += kernel.seconds;
        text += fmt::format("{:<24} {:>10.4f} {:>9} {:>8} {:>7}\n", kernel.name, kernel.seconds,
                            kernel.launches, or_dash(r > 0, fmt::format("{:.2f}", r / giga)),
                            or_dash(r > 0 && device.bandwidth > 0,
                                    fmt::format("{:.0f} %", 100 * r / device.bandwidth)));
    }
    return text + fmt::format("{:<24} {:>10.4f}\n", "all", total);
}

}  // namespace

std::string profile_table(const StageSeconds& stages, const std::vector<DeviceProfile>& devices) {
    std::string text = fmt::format("{:<24} {:>10}\n", "stage", "seconds");
    const auto line = [&](const char* name, double seconds) {
        text += fmt::format("{:<24} {:>10.4f}\n", name, seconds);
    };
    line("io", stages.io);
    line("setup", stages.setup);
    line("z/w-step", stages.zw_step);
    line("x-step", stages.x_step);
    for (const DeviceProfile& device : devices)
        text += kernels_of(device);
    return text;
}

}  // namespace plenosr::app
