#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bind_options.h"
#include "plenosr/io.h"
#include "report.h"

namespace plenosr::app {

// The flags that `reconstruct` and `frames` share.
struct SolveFlags {
    std::string output;
    std::string bits;            // empty: as the name of the output asks for
    std::optional<int> quality;  // of a JPEG or WebP
    std::string truth;
    bool dry_run = false;
    bool explain = false;
    std::string page;  // --report
    BoundOptions<ReconstructOptions> options;
    Report report;

    void add_output(Flags app, const std::string& description);
    // `list` are the options of the solver that the command offers.
    void add_solver(Flags app, const std::vector<Option<ReconstructOptions>>& list);
    void add_report(Flags app, const std::string& truth_description);

    // How the picture is stored, by its name, --bits and --quality. Error if they contradict one
    // another, or if it cannot be written there.
    ImageEncoding encoding() const;

    // Where the kept iterations are written; empty: none are kept. Error if there is no place.
    std::string film(const ReconstructOptions& chosen) const;

    // The given options, else scale, blur and phase of the record of `plenosr degrade`, else
    // `defaults`.
    ReconstructOptions options_for(const std::optional<DegradeOptions>& record,
                                   const ReconstructOptions& defaults = {}) const;
};

// The words for defaults that a record of `plenosr degrade` overrides.
std::map<std::string, std::string> recorded_defaults();

}  // namespace plenosr::app
