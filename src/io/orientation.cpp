#include "io/orientation.h"

#include <algorithm>
#include <cstddef>

namespace plenosr::io {

Image upright(Image stored, int orientation) {
    if (orientation < 2 || orientation > 8) return stored;
    const bool exchanged = exchanges_sides(orientation);
    const bool from_right = orientation == 2 || orientation == 3 || orientation >= 7;
    const bool from_below =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Image image(exchanged ? stored.height : stored.width, exchanged ? stored.width : stored.height,
                stored.channels);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            int row = exchanged ? x : y;
            int col = exchanged ? y : x;
            if (from_below) row = stored.height - 1 - row;
            if (from_right) col = stored.width - 1 - col;
            std::copy_n(stored.values.begin() + std::ptrdiff_t(stored.index(row, col)),
                        stored.channels, image.values.begin() + std::ptrdiff_t(image.index(y, x)));
        }
    return image;
}

}  // namespace plenosr::io
