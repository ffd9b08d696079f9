#include "plenosr/devices.h"

#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "plenosr/version.h"
#include "report.h"

namespace plenosr::app {
namespace {

constexpr const char* footer =
    "--device accepts the names of the first column, or part of the name of a device, such as\n"
    "opencl:nvidia. docs/opencl.md describes how to install OpenCL.\n"
    "\n"
    "Example:\n"
    "  plenosr devices --json devices.json\n";

Json json_of(const DeviceDescription& d) {
    Json json;
    json["id"] = d.id;
    json["type"] = to_string(d.type);
    json["name"] = d.name;
    json["vendor"] = d.vendor;
    json["platform"] = d.platform;
    json["platform_version"] = d.platform_version;
    json["driver"] = d.driver;
    json["version"] = d.version;
    json["compute_units"] = d.compute_units;
    json["clock_mhz"] = d.clock_mhz;
    json["global_memory"] = d.global_memory;
    json["largest_allocation"] = d.largest_allocation;
    json["local_memory"] = d.local_memory;
    json["work_group_limit"] = d.work_group_limit;
    json["images"] = d.images;
    json["float_images"] = d.float_images;
    json["image_width"] = d.image_width;
    json["image_height"] = d.image_height;
    json["fp64"] = d.fp64;
    json["half"] = d.half;
    json["vector_width"] = d.vector_width;
    json["available"] = d.available;
    json["strategy"] = d.strategy;
    json["strategy_reason"] = d.strategy_reason;
    return json;
}

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
    Json json;
    json["opencl"] = installed;
    json["devices"] = Json::array();
    std::string text;
    for (const DeviceDescription& device : list) {
        json["devices"].push_back(json_of(device));
        text += text_of(device);
    }
    json["version"] = PLENOSR_VERSION;
    if (list.size() == 1)
        text += installed ? "\nOpenCL is installed but has no device (docs/opencl.md).\n"
                          : "\nOpenCL is not installed (docs/opencl.md).\n";
    report.write(json);
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
