#pragma once

#include <algorithm>
#include <cmath>

#include "plenosr/io.h"

namespace plenosr::app {

// The image as the file stores it: rounded to the depth of the file and clipped.
inline Image as_written(Image image, PixelFormat format) {
    if (format == PixelFormat::float32) return image;
    const float steps = format == PixelFormat::bits16 ? 65535.0F / 255.0F : 1.0F;
    for (float& value : image.values)
        value = std::round(std::clamp(value, 0.0F, 255.0F) * steps) / steps;
    return image;
}

}  // namespace plenosr::app
