#include <fmt/format.h>

#include <memory>

#include "bind_options.h"
#include "command.h"
#include "interrupts.h"
#include "output_checks.h"
#include "plenosr/frames.h"
#include "plenosr/io.h"
#include "plenosr/jobs.h"
#include "plenosr/outputs.h"
#include "plenosr/version.h"
#include "printable.h"
#include "progress_bar.h"
#include "report.h"
#include "stopwatch.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::string output;
    std::string grid;
    std::string bits = "8";
    std::vector<std::string> textures;
    BoundOptions<SynthOptions> options;
    Report report;
};

std::string footer() {
    std::string text = "Scenes:\n";
    for (const SynthScene& scene : synth_scenes())
        text += fmt::format("  {:<10} {}\n", scene.name, scene.description);
    return text +
           "\nExamples:\n"
           "  plenosr synth -o scene --scene discs --grid 5 --width 384 --height 384\n"
           "  plenosr synth -o scene --scene random --seed 7 --texture photos/*.jpg\n";
}

// --grid N means --rows N --cols N; --rows and --cols override it.
SynthOptions options_of(const Arguments& arguments) {
    SynthOptions options;
    if (!arguments.grid.empty())
        for (const Option<SynthOptions>& option : synth_options())
            if (option.name == "rows" || option.name == "cols") option.set(options, arguments.grid);
    options = arguments.options.apply(options);
    if (!arguments.textures.empty())
        for (const FrameFiles::Entry& photo :
             list_frames({arguments.textures.begin(), arguments.textures.end()}).frames)
            options.textures.push_back(photo.file);
    options.validate();
    for (const std::filesystem::path& file : options.textures)
        image_info(file);  // refuses what cannot be read before anything is rendered
    return options;
}

void run(const Arguments& arguments) {
    const SynthOptions options = options_of(arguments);
    WriteLightField layout;
    layout.pixels = parse_bits(arguments.bits, false);
    require_folder_name(arguments.output, "here");
    require_writable_folder(arguments.output);
    arguments.report.require_writable();
    require_outputs({arguments.output, arguments.report.json}, {});

    ProgressBar bar(arguments.report.quiet);
    const Stopwatch clock;
    SynthResult scene = synthesise(options, bar.callback());
    stop_if_interrupted();
    const double seconds = clock.seconds();
    layout.view_disparity = std::move(scene.disparity);
    layout.parameters = {{"meta.scene", options.scene},
                         {"intrinsics.image_resolution_x_px", std::to_string(options.width)},
                         {"intrinsics.image_resolution_y_px", std::to_string(options.height)}};
    OutputBatch outputs;
    write_light_field(arguments.output, scene.light_field, layout, bar.callback());
    bar.clear();

    Json json;
    json["output"] = arguments.output;
    json["views"] = scene.light_field.views.size();
    json["seconds"] = json_number(seconds);
    json["peak_memory_bytes"] = peak_memory_bytes();
    json["bits"] = json_value(arguments.bits);
    json["options"] = json_options(options, synth_options());
    json["textures"] = Json::array();
    for (const std::filesystem::path& file : options.textures)
        json["textures"].push_back(file.string());
    json["version"] = PLENOSR_VERSION;
    arguments.report.write(json);
    outputs.commit();
    arguments.report.summary(fmt::format("{}: {} x {} views of {} x {} pixels in {:.1f} s -> {}\n",
                                         options.scene, options.rows, options.cols, options.width,
                                         options.height, seconds, printable(arguments.output)));
}

}  // namespace

Command add_synth(Flags program) {
    auto arguments = std::make_shared<Arguments>();
    Flags app =
        program.add_subcommand("synth", "render a synthetic light field with exact disparity");
    app.add_option("-o,--output", arguments->output,
                   "folder for the light field (HCI layout, with a disparity map of each view)")
        .type_name("DIR")
        .required();
    app.add_option("--grid", arguments->grid, "N rows and N columns of views").type_name("N");
    arguments->options.bind(app, synth_options(), SynthOptions());
    app.add_option("--texture", arguments->textures,
                   "photos, or folders of photos, to cut textures for the scene `random` from")
        .type_name("PHOTO...");
    advanced(app.add_option("--bits", arguments->bits, "bit depth of the views")
                 .type_name("8|16")
                 .default_str("8"));
    arguments->report.add_flags(app, true);
    app.footer(footer());
    return {app, [arguments] { run(*arguments); }};
}

}  // namespace plenosr::app
