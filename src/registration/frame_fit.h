#pragma once

#include "registration/align.h"

namespace plenosr {

// Fills in the gain, offset, residual and overlap of a frame whose motion is known. Both images are
// smoothed: the first level of a pyramid.
void measure_fit(const Image& reference, const Image& frame, FrameReport& report);

// The median residual of the frames beside the reference; the lower one of the two in the middle.
// So of two frames neither can be an outlier, and of three the better one is typical.
double typical_residual(const std::vector<FrameReport>& reports, int reference);

// A residual of more than 2.5 times the typical one, and 1 grey level more.
bool is_outlier(double residual, double typical);

}  // namespace plenosr
