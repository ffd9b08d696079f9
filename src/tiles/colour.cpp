#include "tiles/colour.h"

#include <algorithm>

namespace plenosr {

void colour_in(Image& image, const Image& reference, const SamplingGrid& sampling, Engine& engine) {
    const int scale = sampling.scale;
    constexpr int band = 64;   // low-resolution rows
    constexpr int margin = 3;  // that the bicubic interpolation looks at beyond them
    for (int begin = 0; begin < reference.height; begin += band) {
        const int first = std::max(0, begin - margin);
        const int last = std::min(reference.height, begin + band + margin);
        const Image low = crop(reference, {0, first, reference.width, last - first});
        const Image ycc = engine.enlarge_bicubic(rgb_to_ycbcr(low), sampling);
        const int rows = std::min(band, reference.height - begin) * scale;
        Image strip = crop(ycc, {0, (begin - first) * scale, image.width, rows});
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < image.width; ++x)
                strip.at(y, x, 0) = image.at(begin * scale + y, x, 0);
        const Image rgb = ycbcr_to_rgb(strip);
        std::copy(rgb.values.begin(), rgb.values.end(),
                  image.values.begin() + std::ptrdiff_t(image.index(begin * scale, 0)));
    }
}

}  // namespace plenosr
