#pragma once

#include "plenosr/jobs.h"
#include "report.h"

namespace plenosr::app {

// The arguments of `plenosr reconstruct --view all`.
struct AllViewsJob {
    AllViewsChoice choice;
    OpenOptions open;  // by which the input was opened
    PixelFormat format = PixelFormat::bits8;
    std::string page;       // --report; empty: none
    AllViewsReport report;  // output, bits, and options are set
};

void reconstruct_every_view(LightFieldSource source, AllViewsJob job, const Report& report);

}  // namespace plenosr::app
