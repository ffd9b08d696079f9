#pragma once

#include "plenosr/io.h"
#include "reconstruct_report.h"

namespace plenosr::app {

// Compares job.result, of views or frames, and the low-resolution reference, enlarged, with the
// truth (if it is not empty) and writes it to job.output. Adds a note if the truth is displaced, as
// with a wrong --phase. Throws Cancelled or Diverged if there is nothing to write.
void finish_reconstruct(ReconstructReport& job, const Image& reference, const Image& truth,
                        const ImageEncoding& encoding, double read_seconds);

SamplingGrid sampling_of(const ReconstructOptions& options);

// A note if the true picture is displaced against the result by a fifth of a pixel or more; else
// empty.
std::string displaced_truth_note(const Image& result, const Image& truth,
                                 const SamplingGrid& sampling);

}  // namespace plenosr::app
