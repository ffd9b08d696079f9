#include "degrade/demosaic.h"

#include <tbb/parallel_for.h>

#include <cmath>
#include <cstdlib>

namespace plenosr {
namespace {

// The index inside 0 ... size - 1 that i is mirrored to about the first and the last pixel.
int mirrored(int i, int size) {
    if (size == 1) return 0;
    const int period = 2 * (size - 1);
    i = std::abs(i) % period;
    return i < size ? i : period - i;
}

// One plane in which value (y, x) is known where bayer_channel() is `channel`: the mean of the
// nearest known values elsewhere. In a plane with a single row or column a colour may be missing;
// then the value itself is used.
class Interpolation {
public:
    Interpolation(const Image& plane, int channel) : plane_(plane), channel_(channel) {}

    float at(int y, int x) const {
        if (bayer_channel(y, x) == channel_) return plane_.at(y, x);
        float sum = 0;
        int count = 0;
        const auto add = [&](int dy, int dx) {
            const int row = mirrored(y + dy, plane_.height);
            const int col = mirrored(x + dx, plane_.width);
            if (bayer_channel(row, col) != channel_) return;
            sum += plane_.at(row, col);
            ++count;
        };
        add(-1, 0), add(1, 0), add(0, -1), add(0, 1);
        if (count == 0) add(-1, -1), add(-1, 1), add(1, -1), add(1, 1);
        return count > 0 ? sum / float(count) : plane_.at(y, x);
    }

private:
    const Image& plane_;
    int channel_;
};

// The green plane of Hamilton and Adams.
Image directed_green(const Image& mosaic) {
    Image green(mosaic.width, mosaic.height);
    const auto at = [&](int y, int x) {
        return mosaic.at(mirrored(y, mosaic.height), mirrored(x, mosaic.width));
    };
    tbb::parallel_for(0, mosaic.height, [&](int y) {
        for (int x = 0; x < mosaic.width; ++x) {
            if (bayer_channel(y, x) == 1) {
                green.at(y, x) = mosaic.at(y, x);
                continue;
            }
            const float centre = 2 * at(y, x);
            const float bend_x = centre - at(y, x - 2) - at(y, x + 2);
            const float bend_y = centre - at(y - 2, x) - at(y + 2, x);
            const float h = std::abs(at(y, x - 1) - at(y, x + 1)) + std::abs(bend_x);
            const float v = std::abs(at(y - 1, x) - at(y + 1, x)) + std::abs(bend_y);
            const float along_x = (at(y, x - 1) + at(y, x + 1)) / 2 + bend_x / 4;
            const float along_y = (at(y - 1, x) + at(y + 1, x)) / 2 + bend_y / 4;
            green.at(y, x) = h < v ? along_x : v < h ? along_y : (along_x + along_y) / 2;
        }
    });
    return green;
}

}  // namespace

Image mosaicked(const Image& rgb) {
    Image mosaic(rgb.width, rgb.height);
    for (int y = 0; y < rgb.height; ++y)
        for (int x = 0; x < rgb.width; ++x)
            mosaic.at(y, x) = rgb.at(y, x, bayer_channel(y, x));
    return mosaic;
}

Image demosaicked(const Image& mosaic, Demosaic method) {
    const bool directed = method == Demosaic::edge_aware && mosaic.width > 1 && mosaic.height > 1;
    Image green(mosaic.width, mosaic.height);  // zero for bilinear: the difference is the colour
    if (directed) green = directed_green(mosaic);
    Image difference = mosaic;
    for (std::size_t i = 0; i < difference.values.size(); ++i)
        difference.values[i] -= green.values[i];
    const Interpolation red(difference, 0), middle(difference, 1), blue(difference, 2);
    Image rgb(mosaic.width, mosaic.height, 3);
    tbb::parallel_for(0, mosaic.height, [&](int y) {
        for (int x = 0; x < mosaic.width; ++x) {
            rgb.at(y, x, 0) = green.at(y, x) + red.at(y, x);
            rgb.at(y, x, 1) = directed ? green.at(y, x) : middle.at(y, x);
            rgb.at(y, x, 2) = green.at(y, x) + blue.at(y, x);
        }
    });
    return rgb;
}

}  // namespace plenosr
