#include "plenosr/devices.h"

#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "plenosr/jobs.h"
#include "report.h"

namespace plenosr::app {
namespace {

constexpr const char* footer =
    "--device accepts the names of the first column, or part of the name of a device, such as\n"
    "opencl:nvidia. docs/opencl.md describes how to install OpenCL.\n"
    "\n"
    "Example:\n"
    "  plenosr devices --json devices.json\n";

std::string megabytes(std::uint64_t bytes) {
    return fmt::format("{:.0f} MiB", double(bytes) / (1024.0 * 1024.0));
}

std::string yes(bool is) {
    return is ? "yes" : "no";
}

std::string text_of(const DeviceDescription& d) {
    std::string text = fmt::format("{:<10} {} ({}{})\n", d.id, d.name, to_string(d.type),
                                   d.available ? "" : ", not available");
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("           {:<12} {}\n", name, value);
    };
    if (d.type == DeviceType::native) {
        line("threads", fmt::format("{}", d.compute_units));
        line("memory", megabytes(d.global_memory));
        return text;
    }
    line("platform", fmt::format("{}, {}", d.platform, d.version));
    line("driver", d.driver);
    line("units", fmt::format("{} at {} MHz, vectors of {} floats, groups of at most {}",
                              d.compute_units, d.clock_mhz, d.vector_width, d.work_group_limit));
    line("memory", fmt::format("{}, at most {} at once; local {} KiB", megabytes(d.global_memory),
                               megabytes(d.largest_allocation), d.local_memory / 1024));
    line("images", d.images ? fmt::format("at most {} x {}, of floats: {}", d.image_width,
                                          d.image_height, yes(d.float_images))
                            : "no");
    line("numbers", fmt::format("fp64: {}, half: {}", yes(d.fp64), yes(d.half)));
    line("strategy", d.strategy_reason.empty() ? d.strategy : d.strategy_reason);
    return text;
}

void run(const Report& report) {
    report.require_writable();
    const std::vector<DeviceDescription> list = devices();
    const bool installed = opencl_is_installed();
    std::string text;
    for (const DeviceDescription& device : list)
        text += text_of(device);
    if (list.size() == 1)
        text += installed ? "\nOpenCL is installed but has no device (docs/opencl.md).\n"
                          : "\nOpenCL is not installed (docs/opencl.md).\n";
    report.write(json_report(list));
    if (report.json != "-") print(text);
}

}  // namespace

Command add_devices(Flags program) {
    auto report = std::make_shared<Report>();
    Flags app = program.add_subcommand("devices",
                                       "list the devices that can compute: CPU and OpenCL devices");
    report->add_flags(app, false);
    app.footer(footer);
    return {app, [report] { run(*report); }};
}

}  // namespace plenosr::app
