#pragma once

#include <string>

#include "plenosr/disparity.h"
#include "report.h"

namespace plenosr::app {

// All that the report of `plenosr disparity` is made from.
struct DisparityReport {
    std::string input;
    std::string output;
    DisparityOptions options;
    ViewPosition reference;
    std::size_t views = 0;
    const DisparityResult* result = nullptr;
    const DisparityOfViews* all = nullptr;  // with --all
};

Json json_of(const DisparityReport& report);
std::string summary_of(const DisparityReport& report);
// What an estimate found, for the reports of all commands that make one.
Json json_of(const DisparityResult& result);

}  // namespace plenosr::app
