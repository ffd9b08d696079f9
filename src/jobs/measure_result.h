#pragma once

#include "plenosr/jobs.h"

namespace plenosr {

// Compares the result, of views or frames, and the low-resolution reference, enlarged, with the
// truth, as the file report.output would store them, if it is not empty and there is an image. Adds
// a note if the truth is displaced, as with a wrong --phase.
void measure_result(const ImageView& reference, const Image& truth, const ImageEncoding& encoding,
                    ReconstructReport& report);

}  // namespace plenosr
