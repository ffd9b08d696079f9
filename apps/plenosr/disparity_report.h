#pragma once

#include <string>
#include <vector>

#include "plenosr/disparity.h"
#include "report.h"

namespace plenosr::app {

// The contents of the report of `plenosr disparity`.
struct DisparityReport {
    std::string input;
    std::string output;
    DisparityOptions options;
    ViewPosition reference;
    std::size_t views = 0;           // that were asked for
    std::vector<std::string> notes;  // of the program
    const DisparityResult* result = nullptr;
    const DisparityOfViews* all = nullptr;  // with --all
};

Json json_of(const DisparityReport& report);
std::string summary_of(const DisparityReport& report);
// An estimate, for the reports of all commands that make one.
Json json_of(const DisparityResult& result);
// Of all commands that leave views out: a warning if these are more than a third; else nothing. In
// a summary it is the last line.
std::vector<std::string> lost_views(std::size_t left_out, std::size_t views);
std::string warning_lines(const std::vector<std::string>& warnings);

}  // namespace plenosr::app
