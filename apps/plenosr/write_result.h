#pragma once

#include "plenosr/jobs.h"

namespace plenosr::app {

// Writes the image of the report, of views or frames, to report.output. Throws Error(cancelled) or
// Diverged if there is nothing to write.
void write_result(ReconstructReport& report, const ImageEncoding& encoding);

}  // namespace plenosr::app
