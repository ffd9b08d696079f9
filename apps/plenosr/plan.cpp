#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bind_options.h"
#include "command.h"
#include "light_field_flags.h"
#include "output_checks.h"
#include "plenosr/batch.h"
#include "plenosr/jobs.h"
#include "printable.h"
#include "progress_bar.h"
#include "report.h"
#include "solve_flags.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::vector<std::string> inputs;
    std::string list;
    std::string job;
    std::string output;
    bool frames = false;
    std::string extension = ".png";
    std::string bits;
    std::string quality;
    std::string view;
    std::string views;
    std::string disparity_from;
    bool single = false;
    int sample = 0;
    int group = 0;
    BoundOptions<OpenOptions> open;
    BoundOptions<FramesOptions> frames_options;
    BoundOptions<ReconstructOptions> options;
    Report report;
};

constexpr const char* footer =
    "The folder JOB tells any number of processes what to do; `plenosr tasks` and `plenosr work`\n"
    "do it, `plenosr-batch` of the Python package does it with many workers. Each result has the\n"
    "same bits as one of plenosr reconstruct, or of plenosr frames, with the same options.\n"
    "\n"
    "Examples:\n"
    "  plenosr plan scenes -o job --output results --scale 3 --colour rgb\n"
    "  plenosr plan --frames bursts/* -o job --output results --extension .tif --bits 16\n"
    "  plenosr plan --frames video -o job --output frames --group 5 --sample 4\n"
    "  until [ -z \"$(plenosr tasks job)\" ]; do\n"
    "    plenosr tasks job | xargs -n 1 plenosr work job --task\n"
    "  done\n";

GivenOptions given_options(const Arguments& a) {
    GivenOptions given;
    const auto add = [&](const char* name, const std::string& text) {
        if (!text.empty()) given.emplace_back(name, text);
    };
    add("view", a.view);
    add("views", a.views);
    add("disparity-from", a.disparity_from);
    if (a.single) given.emplace_back("single", "on");
    add("bits", a.bits);
    add("quality", a.quality);
    for (const auto& list :
         {a.open.given_texts(), a.frames_options.given_texts(), a.options.given_texts()})
        given.insert(given.end(), list.begin(), list.end());
    return given;
}

std::string summary_of(const BatchPlan& plan, const Arguments& a, bool is_new) {
    std::uint64_t bytes = 0;
    std::string warnings;
    for (const BatchItem& item : plan.items) {
        bytes += item.digest.bytes;
        if (!item.error.empty())
            warnings += fmt::format("warning: {} is left out: {}\n", printable(item.name),
                                    printable(item.error));
    }
    constexpr double megabyte = 1e6;
    return fmt::format("{} {} of {:.1f} MB{}\n{}\n", plan.items.size(),
                       plan.frames ? "bursts" : "light fields", double(bytes) / megabyte,
                       is_new ? "" : ", planned before", printable(a.job)) +
           warnings;
}

void run(const Arguments& a) {
    BatchRequest request;
    request.inputs.assign(a.inputs.begin(), a.inputs.end());
    request.list = a.list;
    request.job = a.job;
    request.output = a.output;
    request.frames = a.frames;
    request.extension = a.extension;
    request.options = given_options(a);
    request.sample = a.sample;
    request.group = a.group;
    require_folder_name(a.job, "of a job");
    require_folder_name(a.output, "of a job");
    require_outputs({a.job, a.output}, {a.list});
    ProgressBar bar(a.report.quiet);
    const BatchPlan plan = plan_batch(request, bar.callback());
    const bool is_new = write_plan(a.job, plan);
    bar.clear();
    a.report.summary(summary_of(plan, a, is_new));
}

}  // namespace

Command add_plan(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand(
        "plan", "plans the reconstruction of many light fields or bursts as a job of tasks");
    app.add_option("IN", a->inputs,
                   "light fields, or folders of light fields; with --frames bursts (folders of "
                   "pictures, TIFFs of several pages), or folders of bursts");
    app.add_option("-o", a->job, "the folder of the job to write").type_name("JOB").required();
    app.add_option("--output", a->output,
                   "the folder of the results: a picture for each item, a table and a page")
        .type_name("OUT")
        .required();
    app.add_option("--list", a->list,
                   "a text file with more inputs, one per line; # begins a comment")
        .type_name("FILE");
    app.add_flag("--frames", a->frames, "the items are bursts, to be done as by plenosr frames");
    app.add_option("--sample", a->sample,
                   "measure noise, blur and texture on so many items first, and use their median "
                   "for all, as for the steps of a video; 0 measures each item by itself")
        .type_name("N")
        .capture_default_str();
    app.add_option("--group", a->group,
                   "with --frames: every frame becomes an item that is reconstructed from so many "
                   "frames around it, as for a video; 0 takes each folder as one burst")
        .type_name("N")
        .capture_default_str();
    app.add_option("--extension", a->extension,
                   "format of the results: .png, .tif, .jpg, .webp, .exr or .pfm")
        .type_name(".EXT")
        .capture_default_str();
    app.add_option("--bits", a->bits, "bit depth of the results, if the format allows several")
        .type_name("8|16|float")
        .default_str("float for .exr and .pfm, else 8");
    advanced(app.add_option("--quality", a->quality, "quality of .jpg or .webp, 1 to 100")
                 .type_name("N")
                 .default_str("95"));
    add_view(app, a->view, "R,C", "view to super-resolve, of each light field");
    add_views(app, a->views, "the view");
    advanced(add_disparity_from(app, a->disparity_from));
    a->open.bind(app, open_options(), OpenOptions());
    a->frames_options.bind(app, frames_options(), FramesOptions());
    advanced(app.add_flag("--single", a->single,
                          "enlarge bursts of one frame, which is an error otherwise"));
    a->options.bind(app, reconstruct_options(), ReconstructOptions(), recorded_defaults());
    app.option("--psf-grid").excludes(app.option("--blur"));
    app.add_flag("--quiet", a->report.quiet, "print nothing but errors");
    app.footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
