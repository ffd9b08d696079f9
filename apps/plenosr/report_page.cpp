#include <memory>

#include "command.h"
#include "interrupts.h"
#include "output_checks.h"
#include "progress_bar.h"
#include "report.h"
#include "viewer_input.h"
#include "write_page.h"

namespace plenosr::app {
namespace {

struct Arguments {
    ViewerInput input;
    std::string output;
    Report report;
};

constexpr const char* footer =
    "The page is one file that opens in a browser and loads nothing else (docs/viewer.md).\n"
    "\n"
    "Examples:\n"
    "  plenosr report lr out.json -o report.html\n"
    "  plenosr report lr a.png b.png --truth hr.png -o report.html --lossless\n";

void run(const Arguments& a) {
    require_writable_page(a.output);
    require_outputs({a.output}, a.input.files());
    ProgressBar bar(a.report.quiet);
    const ViewerContent content = a.input.content(bar.callback());
    const std::string summary =
        write_page_file(a.output, content, {a.input.lossless}, bar.callback());
    bar.clear();
    a.report.notes(content.notes);
    a.report.summary(summary);
}

}  // namespace

Command add_report(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand(
        "report", "write a page for the browser: views, results, maps and figures");
    a->input.add_flags(app);
    app.add_option("-o,--output", a->output, "the page to write, .html")
        .type_name("OUT")
        .required();
    app.add_flag("--quiet", a->report.quiet, "print nothing but errors");
    app.footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
