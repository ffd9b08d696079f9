#include "problem/mixture.h"

#include "plenosr/light_field.h"

namespace plenosr {

ValueLimits value_limits(const LightField& light_field) {
    float least = 0;
    float most = 255;
    for (const View& view : light_field.views)
        for (const float v : view.image.values) {
            least = std::min(least, v);
            most = std::max(most, v);
        }
    ValueLimits limits;
    if (least < -0.5F) limits.low = -ValueLimits::none;
    if (most > 255.5F) limits.high = ValueLimits::none;
    return limits;
}

}  // namespace plenosr
