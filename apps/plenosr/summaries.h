#pragma once

#include <string>
#include <vector>

#include "plenosr/jobs.h"

namespace plenosr::app {

// What the commands print when they are done.
std::string summary_of(const ReconstructReport& report, bool explain);
std::string summary_of(const DisparityReport& report);
// The lines on quality, tiles, explanation and notes, for views and for frames.
std::string details_of(const ReconstructReport& report, bool explain);
// "cpu: 12 tiles of 1024 x 896 pixels, overlap 32, direct normal operator, estimated memory …"
std::string tiles_line(const TilesReport& tiles);
// The last lines of a summary.
std::string warning_lines(const std::vector<std::string>& warnings);

}  // namespace plenosr::app
