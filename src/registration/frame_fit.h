#pragma once

#include "registration/align.h"

namespace plenosr {

inline constexpr double least_overlap = 0.1;

// Gain, offset, residual and overlap of a frame whose motion is known; both smoothed, as a
// pyramid's first level.
void judge(const Image& reference, const Image& frame, FrameReport& report);

// Of the frames beside the reference. Of two frames neither can say that the other is wrong; of
// three the better one is usual.
double usual_residual(const std::vector<FrameReport>& reports, int reference);

// A residual that one frame does not share with the others: 2.5 times the usual and 1 more.
bool is_suspicious(double residual, double usual);

}  // namespace plenosr
