#include "problem/planar_layout.h"

namespace plenosr {

std::vector<float> to_planes(const Image& image) {
    std::vector<float> planes(image.values.size());
    const std::size_t channels = std::size_t(image.channels);
    for (std::size_t i = 0; i < image.pixels(); ++i)
        for (std::size_t c = 0; c < channels; ++c)
            planes[c * image.pixels() + i] = image.values[i * channels + c];
    return planes;
}

Image from_planes(std::span<const float> planes, int width, int height) {
    Image image(width, height, int(planes.size() / (std::size_t(width) * std::size_t(height))));
    const std::size_t channels = std::size_t(image.channels);
    for (std::size_t i = 0; i < image.pixels(); ++i)
        for (std::size_t c = 0; c < channels; ++c)
            image.values[i * channels + c] = planes[c * image.pixels() + i];
    return image;
}

}  // namespace plenosr
