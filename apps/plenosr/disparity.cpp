#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bind_options.h"
#include "command.h"
#include "interrupts.h"
#include "light_field_flags.h"
#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/jobs.h"
#include "plenosr/outputs.h"
#include "progress_bar.h"
#include "report.h"
#include "summaries.h"
#include "write_page.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

struct Arguments {
    std::string input;
    std::string output;
    std::string view;
    std::string views = "all";
    bool all = false;
    std::string confidence;
    std::string preview;
    std::string occlusions;
    std::string page;
    BoundOptions<OpenOptions> open;
    BoundOptions<DisparityOptions> options;
    Report report;
};

constexpr const char* footer =
    "The scale is read from lightfield.json if `plenosr degrade` wrote it.\n"
    "With --all, OUT is a folder with one map per view, named as estimates; `plenosr reconstruct\n"
    "--disparity OUT` uses them. --confidence and --preview are then folders as well.\n"
    "\n"
    "Examples:\n"
    "  plenosr disparity photos -o centre.pfm --preview centre.png\n"
    "  plenosr disparity lr -o centre.pfm --range -1.5,2 --confidence confidence.png\n"
    "  plenosr disparity lr -o maps --all --occlusions occlusions --json report.json\n";

void require_folder(const fs::path& folder) {
    require_folder_name(folder, "with --all");
    std::error_code error;
    if (!fs::exists(folder, error) || fs::is_directory(folder, error))
        return require_writable_file(folder / "map");
    throw Error(ErrorKind::output,
                fmt::format("The folder {} cannot be written: a file of that name exists.",
                            folder.string()));
}

// With --all: the name of a view's map, or of a picture that belongs to it.
fs::path file_name_of(const LightFieldIndex& index, ViewPosition position, bool map) {
    const fs::path name = estimated_disparity_name(index, position);
    return map ? name : fs::path(name).replace_extension(".png");
}

void require_outputs(const Arguments& a, const LightFieldIndex& index) {
    if (!a.occlusions.empty() && !a.all)
        throw Error(ErrorKind::invalid_option,
                    "--occlusions needs --all: it shows what the other views see and the "
                    "reference does not");
    a.report.require_writable();
    auto inputs = files_of(index);
    for (const LightFieldIndex::Entry& entry : index.views)
        inputs.push_back(entry.disparity);
    require_writable_page(a.page);
    std::vector<fs::path> outputs = {a.report.json, a.page};
    for (const std::string* path : {&a.output, &a.confidence, &a.preview, &a.occlusions}) {
        if (path->empty()) continue;
        if (!a.all) {
            require_writable_file(*path);
            outputs.emplace_back(*path);
            continue;
        }
        require_folder(*path);
        const bool maps = path == &a.output;
        for (const LightFieldIndex::Entry& entry : index.views)
            outputs.push_back(fs::path(*path) / file_name_of(index, entry.position, maps));
    }
    app::require_outputs(std::move(outputs), inputs);
    if (a.all) return;
    require_extension(a.output, {".pfm", ".npy", ".png"});
    if (!a.preview.empty()) require_extension(a.preview, {".png"});
    if (!a.confidence.empty()) require_extension(a.confidence, {".pfm", ".png"});
}

// Values from 0 to 1, as a PFM or as a picture with 1 in white.
void write_share(const fs::path& file, Image share) {
    if (file.extension() == ".pfm") return write_pfm(file, share);
    for (float& value : share.values)
        value *= 255.0F;
    write_image(file, share);
}

void write_maps(const Arguments& a, const LightFieldIndex& index, const DisparityOfViews& all) {
    for (const ViewEstimate& view : all.views) {
        const fs::path picture = file_name_of(index, view.position, false);
        write_disparity(fs::path(a.output) / file_name_of(index, view.position, true),
                        view.disparity);
        if (!a.confidence.empty()) write_share(fs::path(a.confidence) / picture, view.confidence);
        if (!a.preview.empty())
            write_image(fs::path(a.preview) / picture, disparity_preview(view.disparity));
        if (!a.occlusions.empty()) write_share(fs::path(a.occlusions) / picture, view.occluded);
    }
}

void run(const Arguments& a) {
    a.options.apply(DisparityOptions()).validate();
    const OpenOptions open = a.open.apply(OpenOptions());
    LightFieldSource source = open_light_field(a.input, open);
    DisparityReport job;
    if (source.index.degradation) job.options.scale = source.index.degradation->options.scale;
    job.options = a.options.apply(job.options);
    job.input = a.input;
    job.output = a.output;
    job.every_view = a.all;
    const ViewChoice choice{a.view, a.views, {}, {}, {}};
    select_views(a.views, reference_for(a.view, source.index), source.index.positions());
    require_outputs(a, source.index);

    ProgressBar bar(a.report.quiet);
    run_disparity(source, choice, open, bar.callback(), job);
    stop_if_interrupted();
    OutputBatch outputs;
    if (a.all) {
        write_maps(a, source.index, job.result);
    } else {
        const DisparityResult& estimate = job.result.reference;
        write_disparity(a.output, estimate.disparity);
        if (!a.confidence.empty()) write_share(a.confidence, estimate.confidence);
        if (!a.preview.empty()) write_image(a.preview, disparity_preview(estimate.disparity));
    }
    std::string page;
    if (!a.page.empty()) {
        ViewerContent content = viewer_content(source);
        add_result(job, content);
        page = write_page_file(a.page, content, {}, bar.callback());
    }
    bar.clear();
    a.report.write(json_report(job));
    outputs.commit();
    a.report.summary(summary_of(job) + page);
}

}  // namespace

Command add_disparity(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("disparity", "estimate the disparity map of a light field");
    app.add_option("IN", a->input, "the light field: a folder or a file").required();
    app.add_option("-o,--output", a->output,
                   "the map to write: .pfm, .npy or 16-bit .png; with --all, a folder")
        .type_name("OUT")
        .required();
    add_view(app, a->view, "R,C", "view whose disparity is estimated");
    app.add_flag("--all", a->all,
                 "write a map of every view that is used, consistent with the map of --view");
    advanced(add_views(app, a->views, "the view"));
    a->open.bind(app, open_options(), OpenOptions());
    a->options.bind(app, disparity_options(), DisparityOptions(),
                    {{"scale", "as recorded by `plenosr degrade`, else 1"}});
    app.add_option("--confidence", a->confidence,
                   "write the confidence of each pixel, from 0 to 1 (.pfm) or from black to white "
                   "(.png)")
        .type_name("FILE");
    app.add_option("--preview", a->preview, "write a colour-coded picture of the map")
        .type_name("FILE.png");
    advanced(app.add_option("--occlusions", a->occlusions,
                            "with --all: folder for pictures that are white where a view sees "
                            "what the reference does not")
                 .type_name("DIR"));
    add_page_flag(app, a->page);
    a->report.add_flags(app, true);
    app.footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
