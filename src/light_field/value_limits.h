#pragma once

#include <vector>

#include "plenosr/image.h"

namespace plenosr {

struct LightFieldView;

// The smallest and largest value that the input can take: 0 and 255 for clipped data. If the data
// exceed a limit, as HDR images do, or were never clipped, that limit is disabled: it is set to
// -1e9 or 1e9.
struct ValueLimits {
    double low = 0;
    double high = 255;
    static constexpr double none = 1e9;
    static constexpr double slack = 0.01;  // grey levels: rounding of luma moves white off 255

    static ValueLimits nowhere() { return {-none, none}; }
    bool has_low() const { return low > -none; }
    bool has_high() const { return high < none; }
    // Clipped, or possibly an impulse.
    bool extreme(float y) const { return double(y) <= low + slack || double(y) >= high - slack; }
    // The same without slack, for values as they were read.
    bool reached(float y) const { return double(y) <= low || double(y) >= high; }
};

// The limits that all of these images share.
ValueLimits value_limits(const Image& image);
ValueLimits value_limits(const std::vector<Image>& images, bool clipped = true);
ValueLimits value_limits(const LightFieldView& light_field);  // by LightField::clipped

}  // namespace plenosr
