#include <fmt/format.h>

#include <memory>

#include "bind_options.h"
#include "command.h"
#include "interrupts.h"
#include "light_field_flags.h"
#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/jobs.h"
#include "progress_bar.h"
#include "report.h"
#include "solve_flags.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::string input;
    std::string views = "all";
    std::string disparity_from = "auto";
    bool single = false;
    BoundOptions<OpenOptions> open;
    BoundOptions<ReconstructOptions> options;
    Report report;
};

constexpr const char* footer =
    "First every view is used by itself, then the views are compared with each other along the\n"
    "disparity, which is estimated if the light field has no map. Scale and blur are read from\n"
    "lightfield.json if `plenosr degrade` wrote it; noise levels are never read from it.\n"
    "\n"
    "Examples:\n"
    "  plenosr noise photos\n"
    "  plenosr noise lr --views 5x5 --json noise.json\n"
    "  plenosr noise photos --single\n";

std::string summary_of(const NoiseReport& noise, std::size_t views) {
    std::string text = fmt::format("Gaussian noise {:.2f}, impulses {:.2f} %\n", noise.sigma,
                                   100 * noise.impulses);
    if (noise.from_residuals)
        text += fmt::format(
            "from the residuals of {} views, which differ by {:.2f} more than the noise (model "
            "error)\n"
            "from single views: noise {:.2f}, impulses {:.2f} %\n",
            views, noise.model_error, noise.sigma_of_views, 100 * noise.impulses_of_views);
    else
        text += fmt::format("from {} single {}\n", views, views == 1 ? "view" : "views");
    return text;
}

void run(const Arguments& a) {
    require_one_of("disparity-from", a.disparity_from, "auto|lowres|full|estimate");
    a.options.apply(ReconstructOptions()).validate();
    a.report.require_writable();
    const OpenOptions open = a.open.apply(OpenOptions());
    LightFieldSource source = open_light_field(a.input, open);
    const LightFieldIndex& index = source.index;
    require_no_input(a.report.json, files_of(index));
    ReconstructOptions options;
    if (index.degradation) {
        options.scale = index.degradation->options.scale;
        const BlurSpec& blur = index.degradation->options.blur;
        if (!blur.text.empty()) options.blur = blur;
        options.phase = index.degradation->options.phase;
    }
    options = a.options.apply(options);
    options.validate();
    NoiseJob job{a.input, a.views, a.disparity_from, a.single, options, 0, {}, {}, {}, 0, {}};
    ProgressBar bar(a.report.quiet);
    run_noise(source, open, bar.callback(), job);
    stop_if_interrupted();
    bar.clear();
    a.report.write(json_report(job));
    a.report.summary(summary_of(job.noise, job.used));
    a.report.notes(job.notes);
}

}  // namespace

Command add_noise(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("noise", "estimate the noise of a light field");
    app.add_option("IN", a->input, "the light field: a folder or a file").required();
    app.add_flag("--single", a->single, "use each view by itself, which needs no disparity");
    advanced(add_views(app, a->views, "the centre"));
    advanced(add_disparity_from(app, a->disparity_from));
    a->open.bind(app, open_options(), OpenOptions());
    auto defaults = recorded_defaults();
    defaults["blur"] = "as recorded by `plenosr degrade`, else gaussian, as auto is here";
    a->options.bind(app, noise_options(), ReconstructOptions(), defaults);
    app.option("--psf-grid").excludes(app.option("--blur"));
    a->report.add_flags(app, true);
    app.footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
