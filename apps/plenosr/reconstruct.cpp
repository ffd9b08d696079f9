#include "plenosr/reconstruct.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bind_options.h"
#include "command.h"
#include "finish_reconstruct.h"
#include "output_checks.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"
#include "plenosr/io.h"
#include "progress_bar.h"
#include "reconstruct_all.h"
#include "stopwatch.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

struct Arguments {
    std::string input;
    std::string output;
    std::string view;
    std::string views = "all";
    std::string disparity;
    std::string disparity_from = "auto";
    std::string bits = "8";
    std::string truth;
    bool dry_run = false;
    bool explain = false;
    BoundOptions<OpenOptions> open;
    BoundOptions<ReconstructOptions> options;
    Report report;
};

constexpr const char* footer =
    "Scale and blur are taken from the record of `plenosr degrade` (lightfield.json), where there\n"
    "is one; noise levels never are. Positions are those of the full grid, row and column.\n"
    "\n"
    "Examples:\n"
    "  plenosr reconstruct lr -o out.png\n"
    "  plenosr reconstruct photos -o out.png --scale 2 --disparity centre.pfm --views 5x5\n"
    "  plenosr reconstruct lr -o out.png --views star17 --truth hr.png --json report.json\n"
    "  plenosr reconstruct lr -o all --view all\n"
    "  plenosr reconstruct lr -o out.pfm --bits float --colour rgb --lambda 0.2\n";

// What was given, then what the input's record says, then the defaults.
ReconstructOptions options_for(const Arguments& a, const LightFieldIndex& index) {
    ReconstructOptions options;
    if (index.degradation) {
        options.scale = index.degradation->options.scale;
        options.blur = index.degradation->options.blur;
    } else if (!a.options.given("scale")) {
        throw Error(ErrorKind::invalid_option,
                    fmt::format("the scale is missing: {} has no record of one, so --scale Z must "
                                "be given, e.g. --scale 2",
                                a.input));
    }
    options = a.options.apply(options);
    options.validate();
    return options;
}

ViewPosition reference_for(const Arguments& a, const LightFieldIndex& index) {
    const ViewPosition reference =
        a.view.empty() ? index.grid.centre() : parse_view_position(a.view);
    const auto present = index.positions();
    if (std::find(present.begin(), present.end(), reference) == present.end())
        throw Error(ErrorKind::input,
                    fmt::format("The light field {} has no view {} to reconstruct; choose one that "
                                "is there with --view R,C (plenosr info lists them).",
                                a.input, to_string(reference)));
    return reference;
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
    app::require_outputs(a.output, a.report.json, inputs);
}

// What the work would take, from the sizes and the disparity alone.
std::string dry_run(const LightFieldIndex& index, const ReconstructReport& job) {
    const bool estimate = job.disparity.from == "estimate";
    const Image map = estimate ? Image(index.image.width, index.image.height) : job.disparity.map;
    require_disparity(map, index.image.width, index.image.height, job.options.scale,
                      job.disparity.file.string());
    // Alpha, if the files have it, takes no part.
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
                fmt::format("{} is for one view; with --view all it has no meaning", flag));
}

void run_all_views(const Arguments& a, PixelFormat format) {
    std::error_code error;
    if (!a.disparity.empty() && !fs::is_directory(a.disparity, error))
        refuse_for_all_views("--disparity " + a.disparity +
                             " (a map; a folder with one for every view would do)");
    if (a.dry_run) refuse_for_all_views("--dry-run");
    const LightFieldIndex index = index_light_field(a.input, a.open.apply(OpenOptions()));
    reconstruct_every_view(index,
                           {a.output, a.views, a.disparity, a.disparity_from, a.truth, a.bits,
                            format, options_for(a, index)},
                           a.report);
}

void run(const Arguments& a) {
    // all that can be refused is refused before the work
    const PixelFormat format = parse_bits(a.bits, true);
    a.options.apply(ReconstructOptions()).validate();
    a.report.require_writable();
    if (a.view == "all") return run_all_views(a, format);
    require_extension(a.output, format);
    require_writable_file(a.output);

    ReconstructReport job;
    const LightFieldIndex index = index_light_field(a.input, a.open.apply(OpenOptions()));
    job.output = a.output;
    job.bits = a.bits;
    job.explain = a.explain;
    job.options = options_for(a, index);
    job.reference = reference_for(a, index);
    job.views = views_for(a, index, job.reference);
    job.disparity = choose_disparity(index, job.reference, a.disparity, a.disparity_from);
    require_outputs(a, index, job);

    if (a.dry_run) return print(dry_run(index, job));

    // read
    ProgressBar bar(a.report.quiet);
    const int scale = job.options.scale;
    const Stopwatch reading;
    const Image& map = job.disparity.map;
    const bool estimate = job.disparity.from == "estimate";
    if (!estimate)
        require_disparity(map, index.image.width, index.image.height, scale,
                          job.disparity.file.string());
    Image truth;
    if (!a.truth.empty())
        truth = read_truth(a.truth, index.image.width * scale, index.image.height * scale, scale);
    const LightField light_field = read_light_field(index, job.views, bar.callback());
    const double read_seconds = reading.seconds();

    // reconstruct
    const Image* known = truth.empty() ? nullptr : &truth;
    job.result =
        estimate ? reconstruct(light_field, job.reference, job.options, bar.callback(), known)
                 : reconstruct(light_field, job.reference, map, job.options, bar.callback(), known);
    finish_reconstruct(job, truth, format, read_seconds);
    bar.clear();
    a.report.write(json_of(job));
    a.report.summary(summary_of(job));
}

}  // namespace

Command add_reconstruct(CLI::App& program) {
    auto a = std::make_shared<Arguments>();
    CLI::App* app =
        program.add_subcommand("reconstruct", "super-resolve one view of a light field");
    app->add_option("IN", a->input, "the light field of low resolution")->required();
    app->add_option("-o,--output", a->output,
                    "the picture to write: .png, or .pfm for --bits float; a folder for --view all")
        ->type_name("OUT")
        ->required();
    app->add_option("--view", a->view,
                    "the view to reconstruct; all makes a light field of all of them in the folder "
                    "OUT, and goes on where an earlier run was stopped")
        ->type_name("R,C|all")
        ->default_str("the centre of the grid");
    app->add_option("--views", a->views,
                    "the views that take part: NxN around the view, star17 (rows, columns and "
                    "diagonals to two steps), cross5, all, or a list 'R,C;R,C;...'")
        ->type_name("3x3|5x5|7x7|9x9|star17|cross5|all|LIST")
        ->default_str("all");
    app->add_option("--disparity", a->disparity,
                    "disparity map of the view; at the size of the views in their pixels, or at "
                    "the size of the result in its pixels, per step between views; or a folder of "
                    "maps as `plenosr disparity --all` writes them")
        ->type_name("FILE");
    app->add_option("--disparity-from", a->disparity_from,
                    "without --disparity: lowres is the map beside the views, full the original's "
                    "full-size map that the input's record names, estimate finds it in the views, "
                    "auto is lowres if there is a map, else estimate")
        ->type_name("auto|lowres|full|estimate")
        ->default_str("auto");
    a->open.bind(*app, open_options(), OpenOptions());
    a->options.bind(*app, reconstruct_options(), ReconstructOptions(),
                    {{"scale", "what the input's record says"},
                     {"blur", "what the input's record says, else gaussian"}});
    app->get_option("--psf-grid")->excludes(app->get_option("--blur"));
    app->add_option("--bits", a->bits, "depth of the result; float writes a PFM in 8-bit units")
        ->type_name("8|16|float")
        ->default_str("8");
    app->add_option("--truth", a->truth,
                    "the true picture, or light field for --view all: PSNR and SSIM are reported, "
                    "the result does not change")
        ->type_name("FILE");
    app->add_flag("--dry-run", a->dry_run,
                  "print, for each device, the memory and the tiles it would take; compute and "
                  "write nothing");
    app->add_flag("--explain", a->explain,
                  "print what was estimated from the views, what was chosen, and why");
    a->report.add_flags(*app, true);
    app->footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
