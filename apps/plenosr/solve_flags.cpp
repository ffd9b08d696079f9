#include "solve_flags.h"

#include <fmt/format.h>
#include <unistd.h>

#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/jobs.h"
#include "write_page.h"

namespace plenosr::app {

void SolveFlags::add_output(Flags app, const std::string& description) {
    app.add_option("-o,--output", output, description).type_name("OUT").required();
}

void SolveFlags::add_solver(Flags app, const std::vector<Option<ReconstructOptions>>& list) {
    options.bind(app, list, ReconstructOptions(), recorded_defaults());
    app.option("--psf-grid").excludes(app.option("--blur"));
}

void SolveFlags::add_report(Flags app, const std::string& truth_description) {
    app.add_option("--bits", bits, "bit depth of the result, if the name of OUT allows several")
        .type_name("8|16|float")
        .default_str("float for .exr and .pfm, else 8");
    advanced(app.add_option("--quality", quality, "quality of a .jpg or .webp, 1 to 100")
                 .type_name("N")
                 .default_str("95"));
    app.add_option("--truth", truth, truth_description).type_name("FILE");
    advanced(app.add_flag("--dry-run", dry_run,
                          "print the memory and the tiles that each device would use; compute and "
                          "write nothing"));
    app.add_flag("--explain", explain,
                 "print what was estimated, which options auto chose, and why");
    add_page_flag(app, page);
    report.add_flags(app, true);
}

ImageEncoding SolveFlags::encoding() const {
    require_writable_page(page);
    ImageEncoding chosen = chosen_encoding(output, bits, quality);
    if (output != "-") {
        require_writable_file(output);
    } else if (report.json == "-") {
        throw Error(ErrorKind::invalid_option,
                    "the picture and the report cannot both be standard output; name a file for "
                    "one of them");
    } else if (::isatty(STDOUT_FILENO) != 0) {
        throw Error(ErrorKind::output,
                    "The picture cannot be written to a terminal; redirect standard output, e.g. "
                    "to a file with > out.png.");
    }
    return chosen;
}

std::string SolveFlags::film(const ReconstructOptions& chosen) const {
    if (chosen.keep_iterations == 0) return {};
    if (output == "-")
        throw Error(ErrorKind::invalid_option,
                    "keep-iterations writes a file beside the output, and standard output has no "
                    "place; name a file with -o");
    const std::string file = film_file(output).string();
    require_writable_file(file);
    return file;
}

ReconstructOptions SolveFlags::options_for(const std::optional<DegradeOptions>& record,
                                           const ReconstructOptions& defaults) const {
    ReconstructOptions chosen = options.apply(with_record(defaults, record));
    if (!page.empty() && !options.given("keep-weights")) chosen.weights = true;  // it shows them
    chosen.validate();
    return chosen;
}

std::map<std::string, std::string> recorded_defaults() {
    return {{"scale", "as recorded by `plenosr degrade`, else 2"},
            {"blur", "as recorded by `plenosr degrade`, else auto"},
            {"phase", "as recorded by `plenosr degrade`, else auto"}};
}

}  // namespace plenosr::app
