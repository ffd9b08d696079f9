#include "tiles/colour.h"

#include <algorithm>

namespace plenosr {

void enlarge_in_bands(const ImageView& low, const SamplingGrid& sampling, Engine& engine,
                      const std::function<void(int, const Image&)>& use) {
    const int scale = sampling.scale;
    constexpr int band = 64;   // low-resolution rows
    constexpr int margin = 3;  // that the bicubic interpolation looks at beyond them
    for (int begin = 0; begin < low.height; begin += band) {
        const int first = std::max(0, begin - margin);
        const int last = std::min(low.height, begin + band + margin);
        const Image part = crop(low, {0, first, low.width, last - first});
        const Image enlarged = engine.enlarge_bicubic(part, sampling);
        const int rows = std::min(band, low.height - begin) * scale;
        use(begin * scale, crop(enlarged, {0, (begin - first) * scale, low.width * scale, rows}));
    }
}

void colour_in(Image& image, const ImageView& reference, const SamplingGrid& sampling,
               Engine& engine) {
    enlarge_in_bands(rgb_to_ycbcr(to_image(reference)), sampling, engine,
                     [&](int begin, const Image& enlarged) {
                         Image strip = enlarged;
                         for (int y = 0; y < strip.height; ++y)
                             for (int x = 0; x < strip.width; ++x)
                                 strip.at(y, x, 0) = image.at(begin + y, x, 0);
                         const Image rgb = ycbcr_to_rgb(strip);
                         std::copy(rgb.values.begin(), rgb.values.end(),
                                   image.values.begin() + std::ptrdiff_t(image.index(begin, 0)));
                     });
}

}  // namespace plenosr
