#pragma once

#include "plenosr/io.h"
#include "reconstruct_report.h"

namespace plenosr::app {

// What follows job.result, of views or of frames: it is compared with the truth (if not empty) and
// written to job.output. Cancelled or Diverged where there is nothing to write.
void finish_reconstruct(ReconstructReport& job, const Image& truth, PixelFormat format,
                        double read_seconds);

}  // namespace plenosr::app
