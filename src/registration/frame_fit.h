#pragma once

#include "registration/align.h"

namespace plenosr {

// A pixel's place, -1 to 1 over the frame.
inline Place over_frame(const Image& frame, double x, double y) {
    return {2 * (x + 0.5) / frame.width - 1, 2 * (y + 0.5) / frame.height - 1};
}

// gain + shading there
inline double gain_at(const FrameReport& r, Place at) {
    const auto& s = r.shading;
    return r.gain + at.x * (s[0] + s[2] * at.x + s[3] * at.y) + at.y * (s[1] + s[4] * at.y);
}

// Whether the frame is to be made as bright as the reference.
inline bool is_equalised(const FrameReport& report, Photometric photometric) {
    return photometric == Photometric::on ||
           (photometric == Photometric::automatic && report.equalised);
}

// Fills in the photometry, residual and overlap of a frame whose motion is known. Both images are
// smoothed: the first level of a pyramid. Gain and offset of the reports are measured in any case;
// shading only if it is significant.
void measure_fit(const Image& reference, const Image& frame, FrameReport& report);

// Mean squared gradient of the smoothed frame, divided by that of its reduced picture.
double sharpness_of(const Pyramid& frame);

// The median residual of the frames beside the reference; the lower one of the two in the middle.
// So of two frames neither can be an outlier, and of three the better one is typical.
double typical_residual(const std::vector<FrameReport>& reports, int reference);

// A residual of more than 2.5 times the typical one, and 1 grey level more.
bool is_outlier(double residual, double typical);

}  // namespace plenosr
