#include "plenosr/tune.h"

#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "plenosr/version.h"
#include "progress_bar.h"
#include "report.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::string device = "opencl";
    Report report;
};

constexpr const char* footer =
    "Solves a small problem with different tile sizes, vector widths and memory strategies. The\n"
    "fastest setting is saved in the cache folder, and later runs on the device use it.\n"
    "\n"
    "Example:\n"
    "  plenosr tune --device opencl:0\n";

Json json_of(const TuningTrial& trial) {
    Json json;
    json["strategy"] = trial.strategy;
    for (const auto& [name, value] : trial.numbers)
        json[name] = value;
    json["seconds"] = json_number(trial.seconds);
    if (!trial.failure.empty()) json["failure"] = trial.failure;
    return json;
}

Json json_of(const TuneResult& result) {
    Json json;
    json["device"] = result.device.id;
    json["name"] = result.device.name;
    json["driver"] = result.device.driver;
    json["best"] = json_of(result.trials[result.best]);
    json["trials"] = Json::array();
    for (const TuningTrial& trial : result.trials)
        json["trials"].push_back(json_of(trial));
    json["file"] = result.file;
    json["version"] = PLENOSR_VERSION;
    return json;
}

std::string table_of(const TuneResult& result) {
    std::string text = fmt::format("{} ({})\n\n  strategy", result.device.name, result.device.id);
    for (const auto& [name, value] : result.trials.front().numbers)
        text += "  " + name;
    text += "        ms\n";
    for (std::size_t i = 0; i < result.trials.size(); ++i) {
        const TuningTrial& trial = result.trials[i];
        text += fmt::format("{} {:<8}", i == result.best ? '*' : ' ', trial.strategy);
        for (const auto& [name, value] : trial.numbers)
            text += fmt::format("  {:>{}}", value, name.size());
        text += trial.failure.empty() ? fmt::format("  {:>8.1f}\n", 1000 * trial.seconds)
                                      : "    failed: " + trial.failure + "\n";
    }
    const double before = result.trials.front().seconds;
    return text + fmt::format("\n{:.2f} times as fast as before; saved in {}\n",
                              before / result.trials[result.best].seconds, result.file);
}

void run(const Arguments& arguments) {
    arguments.report.require_writable();
    ProgressBar bar(arguments.report.quiet);
    const TuneResult result = tune(arguments.device, bar.callback());
    bar.clear();
    arguments.report.write(json_of(result));
    arguments.report.summary(table_of(result));
}

}  // namespace

Command add_tune(Flags program) {
    auto arguments = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("tune", "find the fastest settings of an OpenCL device");
    app.add_option("--device", arguments->device, "the device, as `plenosr devices` lists it")
        .type_name("opencl|opencl:INDEX|opencl:NAME-PART")
        .default_str(arguments->device);
    arguments->report.add_flags(app, true);
    app.footer(footer);
    return {app, [arguments] { run(*arguments); }};
}

}  // namespace plenosr::app
