#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bind_options.h"
#include "report.h"

namespace plenosr::app {

// The flags that `reconstruct` and `frames` share.
struct SolveFlags {
    std::string output;
    std::string bits = "8";
    std::string truth;
    bool dry_run = false;
    bool explain = false;
    BoundOptions<ReconstructOptions> options;
    Report report;

    void add_output(Flags app, const std::string& description);
    // `list` are the options of the solver that the command offers.
    void add_solver(Flags app, const std::vector<Option<ReconstructOptions>>& list);
    void add_report(Flags app, const std::string& truth_description);

    // The given options, else scale, blur and phase of the record of `plenosr degrade`, else
    // `defaults`.
    ReconstructOptions options_for(const std::optional<DegradeOptions>& record,
                                   const ReconstructOptions& defaults = {}) const;
};

// The words for defaults that a record of `plenosr degrade` overrides.
std::map<std::string, std::string> recorded_defaults();

}  // namespace plenosr::app
