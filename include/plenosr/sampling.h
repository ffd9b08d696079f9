#pragma once

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

// Where the pixels of a low-resolution picture lie on the high-resolution grid, along x and y:
//   pixel i lies at scale i + phase.
// phase = 0 is the corner of a block of scale x scale pixels, (scale - 1) / 2 its centre.
struct SamplingGrid {
    int scale = 2;
    double phase = 0;  // high-resolution pixels

    SamplingGrid(int factor, double offset = 0)  // NOLINT(google-explicit-constructor)
        : scale(factor), phase(offset) {}
    bool operator==(const SamplingGrid&) const = default;

    double to_low(double high) const { return (high - phase) / scale; }
    double to_high(double low) const { return scale * low + phase; }
};

}  // namespace PLENOSR_EXPORT
