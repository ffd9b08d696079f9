#include "plenosr/reconstruct.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.h"
#include "finish_reconstruct.h"
#include "light_field_flags.h"
#include "output_checks.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "plenosr/outputs.h"
#include "progress_bar.h"
#include "reconstruct_all.h"
#include "solve_flags.h"
#include "stopwatch.h"

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

std::vector<ViewPosition> views_for(const Arguments& a, const LightFieldIndex& index,
                                    ViewPosition reference) {
    auto views = select_views(a.views, reference, index.positions());
    if (std::find(views.begin(), views.end(), reference) == views.end())
        throw Error(ErrorKind::invalid_option,
                    fmt::format("views = {} must contain the view {} that is reconstructed",
                                a.views, to_string(reference)));
    return views;
}

void require_outputs(const Arguments& a, const LightFieldIndex& index,
                     const ReconstructReport& job) {
    auto inputs = files_of(index);
    inputs.insert(inputs.end(), {job.disparity.file, a.truth, psf_file(job.options.blur)});
    app::require_outputs({a.output, a.report.json}, inputs);
}

// The plan for each device, from the sizes and the disparity alone.
std::string dry_run(const LightFieldIndex& index, const ReconstructReport& job) {
    const bool estimate = job.disparity.from == "estimate";
    const Image map = estimate ? Image(index.image.width, index.image.height) : job.disparity.map;
    require_disparity(map, index.image.width, index.image.height, job.options.scale,
                      job.disparity.file.string());
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

void refuse_for_all_views(const std::string& flag) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{} cannot be combined with --view all", flag));
}

void run_all_views(const Arguments& a) {
    const PixelFormat format = a.bits.empty() ? PixelFormat::bits8 : parse_bits(a.bits, true);
    if (a.quality) refuse_for_all_views("--quality");
    std::error_code error;
    if (!a.disparity.empty() && !fs::is_directory(a.disparity, error))
        refuse_for_all_views("--disparity with the map of one view (" + a.disparity +
                             "; give a folder with a map of every view)");
    if (a.dry_run) refuse_for_all_views("--dry-run");
    const OpenOptions open = a.open.apply(OpenOptions());
    const LightFieldIndex index = index_light_field(a.input, open);
    reconstruct_every_view(
        index,
        {a.output, a.views, a.disparity, a.disparity_from, a.truth, bits_of(format), format,
         a.options_for(record_of(index)), unread_file_notes(a.input), open},
        a.report);
}

// What depends on the positions of the views.
void choose_views(const Arguments& a, const LightFieldIndex& index, ReconstructReport& job,
                  const ViewOrder& order = {}) {
    job.reference = reference_for(a.view, index);
    job.views = views_for(a, index, job.reference);
    job.disparity = choose_disparity(index, job.reference, a.disparity, a.disparity_from, order);
}

void run(const Arguments& a) {
    // Everything is checked before the long work.
    a.options_for({});
    a.report.require_writable();
    if (a.view == "all") return run_all_views(a);
    ImageEncoding encoding = a.encoding();

    ReconstructReport job;
    job.notes = unread_file_notes(a.input);
    const OpenOptions open = a.open.apply(OpenOptions());
    LightFieldIndex index = index_light_field(a.input, open);
    job.output = a.output;
    job.bits = bits_of(encoding.format);
    job.explain = a.explain;
    job.options = a.options_for(record_of(index));
    choose_views(a, index, job);
    require_outputs(a, index, job);
    require_encoding(a.output, encoding.format, index.image.width * job.options.scale,
                     index.image.height * job.options.scale);

    if (a.dry_run) return print(dry_run(index, job));

    // read
    ProgressBar bar(a.report.quiet);
    const int scale = job.options.scale;
    const Stopwatch reading;
    const bool estimate = job.disparity.from == "estimate";
    const auto require_map = [&] {
        if (!estimate)
            require_disparity(job.disparity.map, index.image.width, index.image.height, scale,
                              job.disparity.file.string());
    };
    require_map();
    Image truth;
    if (!a.truth.empty()) {
        require_border(job.options.border, index.image.width * scale, index.image.height * scale);
        truth = read_truth(a.truth, index.image.width * scale, index.image.height * scale, scale);
    }
    const ViewOrder order = put_in_order(index, open, bar.callback(), job.notes);
    if (!order.is_right()) {
        choose_views(a, index, job, order);
        require_map();
    }
    const Image& map = job.disparity.map;
    const LightField light_field = read_light_field(index, job.views, bar.callback());
    encoding.metadata = read_metadata(index, job.reference);
    const double read_seconds = reading.seconds();

    // reconstruct
    const Image* known = truth.empty() ? nullptr : &truth;
    job.result =
        estimate ? reconstruct(light_field, job.reference, job.options, bar.callback(), known)
                 : reconstruct(light_field, job.reference, map, job.options, bar.callback(), known);
    OutputBatch outputs;
    finish_reconstruct(job, light_field.find(job.reference)->image, truth, encoding, read_seconds);
    bar.clear();
    a.report.write(json_of(job));
    outputs.commit();
    a.report.summary(summary_of(job));
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
