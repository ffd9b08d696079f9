#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "light_field_flags.h"
#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/jobs.h"
#include "plenosr/outputs.h"
#include "progress_bar.h"
#include "reconstruct_all.h"
#include "solve_flags.h"
#include "stopwatch.h"
#include "summaries.h"
#include "write_page.h"
#include "write_result.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

struct Arguments : SolveFlags {
    std::string input;
    std::string view;
    std::string views = "all";
    std::string disparity;
    std::string disparity_from = "auto";
    BoundOptions<OpenOptions> open;
};

constexpr const char* footer =
    "Scale, blur and phase are read from lightfield.json if `plenosr degrade` wrote it; noise\n"
    "levels are never read from it. Positions are row and column of the full grid.\n"
    "\n"
    "Examples:\n"
    "  plenosr reconstruct views -o sharp.png\n"
    "  plenosr reconstruct views -o sharp.png --scale 3 --colour rgb --explain\n"
    "  plenosr reconstruct views -o sharp.png --disparity centre.pfm --views 5x5\n"
    "  plenosr reconstruct lr -o out.png --truth hr.png --json report.json\n"
    "  plenosr reconstruct lr -o all_views --view all\n";

std::optional<DegradeOptions> record_of(const LightFieldIndex& index) {
    if (!index.degradation) return std::nullopt;
    return index.degradation->options;
}

void require_outputs(const Arguments& a, const LightFieldIndex& index,
                     const ReconstructReport& job) {
    auto inputs = files_of(index);
    inputs.insert(inputs.end(), {job.disparity.file, a.truth, psf_file(job.options.blur)});
    app::require_outputs({a.output, a.report.json, a.page, job.film}, inputs);
}

// The plan for each device, from the sizes and the disparity alone.
std::string dry_run(const LightFieldIndex& index, const ReconstructReport& job) {
    const bool estimate = job.disparity.from == "estimate";
    const Image map = estimate ? Image(index.image.width, index.image.height) : job.disparity.map;
    // Alpha, if the files have it, is dropped.
    const LightFieldSize size{index.image.width, index.image.height,
                              index.image.channels >= 3 ? 3 : 1, job.views};
    std::string text =
        estimate ? "the disparity would be estimated; the plan is for a scene without parallax\n"
                 : "";
    for (const TilesReport& r : plan_reconstruct(size, job.reference, map, job.options))
        text += tiles_line(r) + "\n";
    return text;
}

// The page of --report; lines for the summary.
std::string write_page_of(const Arguments& a, const LightFieldSource& source,
                          const ReconstructReport& job, const Image& truth,
                          const Progress& progress) {
    if (a.page.empty()) return {};
    ViewerContent content = viewer_content(source);
    add_result(job, content);
    if (!truth.empty()) add_truth(truth, content);
    return write_page_file(a.page, content, {}, progress);
}

void refuse_for_all_views(const std::string& flag) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{} cannot be combined with --view all", flag));
}

void run_all_views(const Arguments& a) {
    const PixelFormat format = a.bits.empty() ? PixelFormat::bits8 : parse_bits(a.bits, true);
    if (a.quality) refuse_for_all_views("--quality");
    require_writable_page(a.page);
    AllViewsOptions{a.options_for({}), a.views, false, {}, {}}.validate();
    std::error_code error;
    if (!a.disparity.empty() && !fs::is_directory(a.disparity, error))
        refuse_for_all_views("--disparity with the map of one view (" + a.disparity +
                             "; give a folder with a map of every view)");
    if (a.dry_run) refuse_for_all_views("--dry-run");
    AllViewsJob job;
    job.open = a.open.apply(OpenOptions());
    LightFieldSource source = open_light_field(a.input, job.open);
    job.choice = {a.views, a.disparity, a.disparity_from, a.truth, {}};
    job.format = format;
    job.report.output = a.output;
    job.report.bits = bits_of(format);
    job.page = a.page;
    job.report.options = a.options_for(record_of(source.index));
    job.report.options.weights = false;  // no page shows those of all views
    reconstruct_every_view(std::move(source), std::move(job), a.report);
}

void run(const Arguments& a) {
    // Everything is checked before the long work.
    a.options_for({});
    a.report.require_writable();
    if (a.view == "all") return run_all_views(a);
    ImageEncoding encoding = a.encoding();

    const OpenOptions open = a.open.apply(OpenOptions());
    LightFieldSource source = open_light_field(a.input, open);
    const ViewChoice choice{a.view, a.views, a.disparity, a.disparity_from, {}};
    ReconstructReport job;
    job.output = a.output;
    job.bits = bits_of(encoding.format);
    job.options = a.options_for(record_of(source.index));
    job.film = a.film(job.options);
    choose_views(source, choice, {}, job);
    require_outputs(a, source.index, job);
    require_encoding(a.output, encoding.format, source.index.image.width * job.options.scale,
                     source.index.image.height * job.options.scale);
    if (a.dry_run) return print(dry_run(source.index, job));

    ProgressBar bar(a.report.quiet);
    const Stopwatch reading;
    Image truth;
    if (!a.truth.empty()) {
        const int scale = job.options.scale;
        const int width = source.index.image.width * scale;
        const int height = source.index.image.height * scale;
        require_border(job.options.border, width, height);
        truth = read_truth(a.truth, width, height, scale, source.index);
    }
    const double truth_seconds = reading.seconds();
    run_reconstruct(source, choice, open, truth, encoding, bar.callback(), job);
    encoding.metadata = job.metadata;
    job.result.seconds.io += truth_seconds;
    OutputBatch outputs;
    write_result(job, encoding);
    const std::string page = write_page_of(a, source, job, truth, bar.callback());
    bar.clear();
    a.report.write(json_report(job));
    outputs.commit();
    a.report.summary(summary_of(job, a.explain) + page);
}

}  // namespace

Command add_reconstruct(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("reconstruct",
                                       "super-resolve one view of a light field, or all views");
    app.add_option("IN", a->input, "the low-resolution light field: a folder or a file").required();
    a->add_output(app,
                  "the picture to write: .png, .tif, .jpg, .webp, .exr or .pfm, - for a PNG on "
                  "standard output; a folder for --view all");
    add_view(app, a->view, "R,C|all",
             "view to super-resolve; all writes a light field of all views to the folder OUT, and "
             "continues an interrupted run");
    add_views(app, a->views, "the view");
    app.add_option("--disparity", a->disparity,
                   "disparity map of the view, in pixels per step between views, either at the "
                   "size of the views or at the size of the result; or a folder of maps as "
                   "`plenosr disparity --all` writes them; without it, --disparity-from decides")
        .type_name("FILE");
    advanced(add_disparity_from(app, a->disparity_from));
    a->open.bind(app, open_options(), OpenOptions());
    a->add_solver(app, reconstruct_options());
    a->add_report(app,
                  "the true picture, or light field for --view all: PSNR and SSIM are reported, "
                  "the result does not change");
    app.footer(footer);
    return {app, [a] {
                a->report.stdout_taken = a->output == "-";
                run(*a);
            }};
}

}  // namespace plenosr::app
