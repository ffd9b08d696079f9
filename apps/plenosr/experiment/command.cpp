#include "command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "experiment/experiments.h"
#include "interrupts.h"
#include "output_checks.h"
#include "plenosr/commit.h"
#include "plenosr/devices.h"
#include "plenosr/error.h"
#include "plenosr/jobs.h"
#include "plenosr/version.h"
#include "progress_bar.h"
#include "stopwatch.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

struct Arguments {
    std::string name;
    std::string data;
    std::string output = "experiments";
    std::vector<std::string> add;
    LabOptions options;
    bool quiet = false;
};

constexpr const char* footer =
    "Each experiment writes DIR/NAME/NAME.md (the command, versions, device, and our numbers "
    "beside\n"
    "those of the paper), NAME.json and CSV files with all numbers, and plots and pictures as SVG\n"
    "and PNG. `all` runs all experiments and writes DIR/index.html, one self-contained page.\n"
    "gnuplot draws the plots; if it is not installed, the page says that they are missing.\n"
    "\n"
    "Examples:\n"
    "  plenosr experiment list\n"
    "  plenosr experiment inputs --data scenes -o results\n"
    "  plenosr experiment all --quick\n"
    "  plenosr experiment noise-table --data scenes --add 'other method=their_results'\n";

std::string list_of_experiments() {
    std::string text;
    for (const Experiment& e : experiments())
        text += fmt::format("{:<13} {}\n", e.name, e.paper);
    return text;
}

std::vector<Experiment> chosen(const std::string& name) {
    if (name == "all") return experiments();
    std::string names;
    for (const Experiment& e : experiments()) {
        if (e.name == name) return {e};
        names += e.name + ", ";
    }
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("there is no experiment {}; choose one of {}all, or list", name, names));
}

LabOptions lab_options(const Arguments& a) {
    LabOptions o = a.options;
    o.data = a.data;
    if (!a.data.empty() && !fs::is_directory(a.data))
        throw Error(ErrorKind::input,
                    fmt::format("The folder {} of --data does not exist.", a.data));
    require_one_of("model", o.model, "paper|auto|both");
    require_one_of("view", o.view, "all|centre");
    for (const std::string& text : a.add) {
        const std::size_t at = text.find('=');
        if (at == std::string::npos || at == 0)
            throw Error(ErrorKind::invalid_option, fmt::format("add = {} must be NAME=DIR", text));
        const fs::path folder = text.substr(at + 1);
        if (!fs::is_directory(folder))
            throw Error(ErrorKind::input,
                        fmt::format("The folder {} of --add does not exist.", folder.string()));
        o.add.emplace_back(text.substr(0, at), folder);
    }
    ReconstructOptions check;
    check.device = o.device;
    check.validate();
    return o;
}

std::string command_of(const Arguments& a, const std::string& name) {
    std::string text = "plenosr experiment " + name;
    if (!a.data.empty())
        text += " --data " + fs::path(a.data).lexically_normal().filename().string();
    if (a.options.device_given) text += " --device " + a.options.device;
    if (a.options.model != "both") text += " --model " + a.options.model;
    if (a.options.view != "all") text += " --view " + a.options.view;
    if (a.options.quick) text += " --quick";
    return text;
}

std::vector<std::string> made_with(const LabOptions& options) {
    std::vector<std::string> lines = {
        fmt::format("plenosr {}, commit {}", PLENOSR_VERSION, PLENOSR_COMMIT)};
    for (const DeviceDescription& d : devices())
        if (d.id == options.device || (options.device == "opencl" && d.id == "opencl:0"))
            lines.push_back(fmt::format("device {}: {}{}", d.id, d.name,
                                        d.driver.empty() ? "" : ", driver " + d.driver));
    if (lines.size() == 1) lines.push_back("device " + options.device);
    return lines;
}

void run(const Arguments& arguments) {
    if (arguments.name == "list") return print(list_of_experiments());
    const std::vector<Experiment> list = chosen(arguments.name);
    const LabOptions options = lab_options(arguments);
    const fs::path folder = arguments.output;
    require_folder_name(folder, "here");
    for (const Experiment& e : list)
        require_writable_file(folder / e.name / (e.name + ".md"));
    ProgressBar bar(arguments.quiet);
    std::vector<Page> pages;
    for (const Experiment& e : list) {
        Page page;
        page.name = e.name;
        page.title = e.title;
        page.paper = e.paper + ".";
        page.command = command_of(arguments, e.name);
        page.made_with = made_with(options);
        const Stopwatch clock;
        Lab lab(options, bar.callback(), page);
        e.run(lab);
        page.seconds = clock.seconds();
        const fs::path file = write_page(page, folder / e.name);
        bar.clear();
        if (!arguments.quiet) {
            std::string text = file.string() + "\n";
            for (const std::string& line : page.found)
                text += "  " + line + "\n";
            for (const std::string& line : page.missing)
                text += "  missing: " + line + "\n";
            print(text);
        }
        pages.push_back(std::move(page));
        stop_if_interrupted();
    }
    if (arguments.name != "all") return;
    write_html(pages, folder, folder / "index.html");
    if (!arguments.quiet) print((folder / "index.html").string() + "\n");
}

}  // namespace

Command add_experiment(Flags program) {
    auto arguments = std::make_shared<Arguments>();
    LabOptions& o = arguments->options;
    Flags app = program.add_subcommand("experiment", "reproduce a figure or table of the paper");
    app.add_option("NAME", arguments->name,
                   "the experiment; list prints their names, all runs all of them")
        .required();
    app.add_option(
           "--data", arguments->data,
           "folder with scenes (a light field each) and photos (DIR/photos, or DIR); without it, "
           "scenes are rendered")
        .type_name("DIR");
    app.add_option("-o,--output", arguments->output, "folder for the results")
        .type_name("DIR")
        .capture_default_str();
    Flag device =
        app.add_option("--device", o.device,
                       "device as for reconstruct; for platforms, only this device instead of all")
            .type_name("DEVICE")
            .capture_default_str();
    app.add_option("--model", o.model,
                   "model: that of the paper, ours (auto), or both side by side")
        .type_name("paper|auto|both")
        .capture_default_str();
    app.add_option("--view", o.view,
                   "for clean-table: the views to measure; centre is for a quick look")
        .type_name("all|centre")
        .capture_default_str();
    app.add_option("--add", arguments->add,
                   "for noise-table: results of another method, DIR/SCENE_SIGMA_NU.png such as "
                   "dishes_20_5.png; may be repeated")
        .type_name("NAME=DIR");
    app.add_flag("--quick", o.quick,
                 "small pictures and few cases, for a quick check (half a minute for all)");
    app.add_flag("--quiet", arguments->quiet, "print nothing but errors");
    app.footer(footer);
    return {app, [arguments, device] {
                arguments->options.device_given = device.count() > 0;
                run(*arguments);
            }};
}

}  // namespace plenosr::app
