#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "demo_picture.h"
#include "interrupts.h"
#include "output_checks.h"
#include "plenosr/disparity.h"
#include "plenosr/io.h"
#include "plenosr/jobs.h"
#include "plenosr/metrics.h"
#include "plenosr/options.h"
#include "plenosr/outputs.h"
#include "plenosr/version.h"
#include "printable.h"
#include "progress_bar.h"
#include "report.h"
#include "stopwatch.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

struct Arguments {
    std::string output;
    Report report;
};

constexpr const char* footer =
    "Renders a scene as 5 x 5 views, halves their size and adds noise, and restores the centre\n"
    "view. Writes DIR/demo.png (the results side by side with magnified parts), bicubic.png,\n"
    "plenosr.png and truth.png, and the light fields DIR/scene and DIR/noisy. Takes some "
    "seconds.\n";

// The scene, the noise and the solver have fixed options, chosen for this noise level and not for
// this picture.
SynthOptions scene_options() {
    SynthOptions options;
    options.scene = "planes";
    options.rows = 5;
    options.cols = 5;
    options.width = 384;
    options.height = 384;
    options.supersampling = 3;
    return options;
}

DegradeOptions noise_options() {
    DegradeOptions options;
    options.scale = 2;
    options.gaussian = 20;
    options.impulse = 5;
    options.seed = 1;
    options.colour = Colour::rgb;
    return options;
}

ReconstructOptions solve_options(const DegradeOptions& noise) {
    ReconstructOptions options;
    options.scale = noise.scale;
    options.blur = noise.blur;
    options.phase = noise.phase;
    options.colour = Colour::rgb;
    options.init = Initial::median;
    return options;
}

// The enlarged reference view, as a picture viewer would show it.
Image bicubic(const LightField& low, const Image& disparity, ReconstructOptions options) {
    LightField alone;
    alone.grid = low.grid;
    alone.clipped = low.clipped;
    alone.views = {*low.find(low.grid.centre())};
    options.init = Initial::bicubic;
    options.iterations = 0;
    return reconstruct(alone, low.grid.centre(), disparity, options).initial;
}

struct Row {
    std::string name;
    Quality quality;
    double seconds = 0;
};

std::string table_of(const std::vector<Row>& rows) {
    std::string text = fmt::format("{:<10} {:>10} {:>8} {:>10}\n", "", "PSNR", "SSIM", "time");
    for (const Row& row : rows)
        text += fmt::format("{:<10} {:>7.2f} dB {:>8.4f} {:>8.2f} s\n", row.name, row.quality.psnr,
                            row.quality.ssim, row.seconds);
    return text;
}

Json json_of(const std::vector<Row>& rows) {
    Json json;
    json["results"] = Json::array();
    for (const Row& row : rows)
        json["results"].push_back({{"name", row.name},
                                   {"psnr", json_number(row.quality.psnr)},
                                   {"ssim", json_number(row.quality.ssim)},
                                   {"seconds", json_number(row.seconds)}});
    json["peak_memory_bytes"] = peak_memory_bytes();
    json["version"] = PLENOSR_VERSION;
    return json;
}

void run(const Arguments& arguments) {
    const fs::path folder = arguments.output;
    require_folder_name(folder, "here");
    std::vector<fs::path> paths = {arguments.report.json};
    for (const char* name : {"demo.png", "bicubic.png", "plenosr.png", "truth.png"}) {
        require_writable_file(folder / name);
        paths.push_back(folder / name);
    }
    for (const char* name : {"scene", "noisy"}) {
        require_writable_folder(folder / name);
        paths.push_back(folder / name);
    }
    arguments.report.require_writable();
    require_outputs(paths, {});
    ProgressBar bar(arguments.report.quiet);

    // Render the scene, then degrade it.
    const SynthOptions scene_description = scene_options();
    SynthResult scene = synthesise(scene_description, bar.callback());
    stop_if_interrupted();
    const ViewPosition centre = scene.light_field.grid.centre();
    const Image truth = as_written(scene.light_field.find(centre)->image, PixelFormat::bits8);
    WriteLightField layout;
    layout.view_disparity = scene.disparity;
    OutputBatch outputs;
    write_light_field(folder / "scene", scene.light_field, layout, bar.callback());

    const DegradeOptions noise = noise_options();
    const LightField low = degrade(scene.light_field, noise, bar.callback());
    stop_if_interrupted();
    for (Image& map : layout.view_disparity)
        map = reduce_disparity(map, noise.scale);
    const std::size_t middle = layout.view_disparity.size() / 2;
    const Image disparity = layout.view_disparity[middle];
    layout.degradation = DegradationRecord{noise, fs::absolute(folder / "scene"),
                                           fs::absolute(folder / "scene" / "gt_disp_lowres.pfm")};
    write_light_field(folder / "noisy", low, layout, bar.callback());

    // Reconstruct the centre view.
    const ReconstructOptions options = solve_options(noise);
    const Stopwatch clock;
    const Image enlarged = as_written(bicubic(low, disparity, options), PixelFormat::bits8);
    const double enlarge_seconds = clock.seconds();
    const ReconstructResult result = reconstruct(low, centre, disparity, options, bar.callback());
    require_finished(result.termination);
    stop_if_interrupted();
    const Image solved = as_written(result.image, PixelFormat::bits8);
    const std::vector<Row> rows = {{"bicubic", compare(enlarged, truth), enlarge_seconds},
                                   {"PlenoSR", compare(solved, truth), result.wall_seconds}};

    const auto label = [](const Row& row) {
        return fmt::format("{} {:.2f} dB", row.name, row.quality.psnr);
    };
    const Image picture =
        side_by_side({{label(rows[0]), enlarged}, {label(rows[1]), solved}, {"truth", truth}},
                     {{40, 100}, {236, 222}});
    write_image(folder / "bicubic.png", enlarged);
    write_image(folder / "plenosr.png", solved);
    write_image(folder / "truth.png", truth);
    write_image(folder / "demo.png", picture);
    bar.clear();
    arguments.report.write(json_of(rows));
    outputs.commit();
    arguments.report.summary(fmt::format(
        "{} x {} views of {} x {} pixels, noise sigma {} and {} % impulses, x{}\n\n{}"
        "\n{}\n",
        scene_description.rows, scene_description.cols, low.width(), low.height(), noise.gaussian,
        noise.impulse, noise.scale, table_of(rows), printable((folder / "demo.png").string())));
}

}  // namespace

Command add_demo(Flags program) {
    auto arguments = std::make_shared<Arguments>();
    Flags app =
        program.add_subcommand("demo", "show a result: render a scene, degrade it and restore it");
    app.add_option("-o,--output", arguments->output, "folder for the results")
        .type_name("DIR")
        .required();
    arguments->report.add_flags(app, true);
    app.footer(footer);
    return {app, [arguments] { run(*arguments); }};
}

}  // namespace plenosr::app
