#include "light_field/value_limits.h"

#include <algorithm>

#include "plenosr/light_field.h"

namespace plenosr {
namespace {

// Grey levels. Chosen by reasoning, not tuned: rounding moves 8-bit data by less than half a level.
constexpr float tolerance = 0.5F;

class Extremes {
public:
    void add(const ImageView& image) {
        std::vector<float> row(std::size_t(image.width) * std::size_t(image.channels));
        for (int y = 0; y < image.height; ++y) {
            image.read(y, 0, image.width, row.data());
            for (const float v : row) {
                least_ = std::min(least_, v);
                most_ = std::max(most_, v);
            }
        }
    }
    ValueLimits limits() const {
        ValueLimits limits;
        if (least_ < float(limits.low) - tolerance) limits.low = -ValueLimits::none;
        if (most_ > float(limits.high) + tolerance) limits.high = ValueLimits::none;
        return limits;
    }

private:
    float least_ = 0;
    float most_ = 255;
};

}  // namespace

ValueLimits value_limits(const Image& image) {
    Extremes extremes;
    extremes.add(image);
    return extremes.limits();
}

ValueLimits value_limits(const std::vector<Image>& images, bool clipped) {
    if (!clipped) return ValueLimits::nowhere();
    Extremes extremes;
    for (const Image& image : images)
        extremes.add(image);
    return extremes.limits();
}

ValueLimits value_limits(const LightFieldView& light_field) {
    if (!light_field.clipped) return ValueLimits::nowhere();
    Extremes extremes;
    for (const PlacedView& view : light_field.views)
        extremes.add(view.image);
    return extremes.limits();
}

}  // namespace plenosr
