#pragma once

#include <cstddef>
#include <vector>

#include "plenosr/light_field.h"

namespace plenosr {

// Bytes of the values.
inline std::size_t image_bytes(const Image& image) {
    return image.values.size() * sizeof(float);
}

inline std::size_t image_bytes(const std::vector<Image>& images) {
    std::size_t sum = 0;
    for (const Image& image : images)
        sum += image_bytes(image);
    return sum;
}

std::size_t image_bytes(const ImageView& view);

inline std::size_t image_bytes(const LightFieldView& light_field) {
    std::size_t sum = 0;
    for (const PlacedView& view : light_field.views)
        sum += image_bytes(view.image);
    return sum;
}

}  // namespace plenosr
