#pragma once

#include "plenosr/io.h"
#include "reconstruct_report.h"

namespace plenosr::app {

// Compares job.result, of views or frames, with the truth (if it is not empty) and writes it to
// job.output. Throws Cancelled or Diverged if there is nothing to write.
void finish_reconstruct(ReconstructReport& job, const Image& truth, PixelFormat format,
                        double read_seconds);

}  // namespace plenosr::app
