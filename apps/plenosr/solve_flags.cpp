#include "solve_flags.h"

#include "plenosr/jobs.h"

namespace plenosr::app {

void SolveFlags::add_output(Flags app, const std::string& description) {
    app.add_option("-o,--output", output, description).type_name("OUT").required();
}

void SolveFlags::add_solver(Flags app, const std::vector<Option<ReconstructOptions>>& list) {
    options.bind(app, list, ReconstructOptions(), recorded_defaults());
    app.option("--psf-grid").excludes(app.option("--blur"));
}

void SolveFlags::add_report(Flags app, const std::string& truth_description) {
    app.add_option("--bits", bits, "bit depth of the result; float writes a PFM in 8-bit units")
        .type_name("8|16|float")
        .default_str("8");
    app.add_option("--truth", truth, truth_description).type_name("FILE");
    advanced(app.add_flag("--dry-run", dry_run,
                          "print the memory and the tiles that each device would use; compute and "
                          "write nothing"));
    app.add_flag("--explain", explain,
                 "print what was estimated, which options auto chose, and why");
    report.add_flags(app, true);
}

ReconstructOptions SolveFlags::options_for(const std::optional<DegradeOptions>& record,
                                           const ReconstructOptions& defaults) const {
    const ReconstructOptions chosen =
        options.apply(record ? with_record(defaults, *record) : defaults);
    chosen.validate();
    return chosen;
}

std::map<std::string, std::string> recorded_defaults() {
    return {{"scale", "as recorded by `plenosr degrade`, else 2"},
            {"blur", "as recorded by `plenosr degrade`, else gaussian"},
            {"phase", "as recorded by `plenosr degrade`, else auto"}};
}

}  // namespace plenosr::app
