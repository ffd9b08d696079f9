#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "light_field/cubic_kernel.h"
#include "plenosr/error.h"
#include "plenosr/image.h"

namespace plenosr {
namespace {

struct Tap {
    int from = 0;
    float weight = 0;
};

// For each output index the inputs and their weights, which sum to 1.
std::vector<std::vector<Tap>> taps(int in, int out) {
    const double step = double(in) / out;
    const double width = std::max(1.0, step);
    std::vector<std::vector<Tap>> all(static_cast<std::size_t>(out));
    for (int i = 0; i < out; ++i) {
        const double centre = (i + 0.5) * step - 0.5;
        double sum = 0;
        for (int k = int(std::ceil(centre - 2 * width)); k <= int(centre + 2 * width); ++k)
            sum += cubic_kernel((k - centre) / width);
        for (int k = int(std::ceil(centre - 2 * width)); k <= int(centre + 2 * width); ++k) {
            const double weight = cubic_kernel((k - centre) / width) / sum;
            if (weight != 0)
                all[std::size_t(i)].push_back({std::clamp(k, 0, in - 1), float(weight)});
        }
    }
    return all;
}

}  // namespace

Image resize(const Image& image, int width, int height) {
    if (image.empty() || width < 1 || height < 1) {
        throw Error(ErrorKind::input,
                    fmt::format("An image of {}x{} pixels cannot be resized to {}x{}.", image.width,
                                image.height, width, height));
    }
    Image rows = image;
    if (width != image.width) {
        rows = Image(width, image.height, image.channels);
        const auto along_x = taps(image.width, width);
        for (int y = 0; y < rows.height; ++y)
            for (int x = 0; x < width; ++x)
                for (const Tap tap : along_x[std::size_t(x)])
                    for (int c = 0; c < image.channels; ++c)
                        rows.at(y, x, c) += tap.weight * image.at(y, tap.from, c);
    }
    if (height == image.height) return rows;
    Image result(width, height, image.channels);
    const auto along_y = taps(image.height, height);
    const std::size_t line = std::size_t(width) * std::size_t(image.channels);
    for (int y = 0; y < height; ++y) {
        float* to = &result.values[result.index(y, 0)];
        for (const Tap tap : along_y[std::size_t(y)]) {
            const float* from = &rows.values[rows.index(tap.from, 0)];
            for (std::size_t i = 0; i < line; ++i)
                to[i] += tap.weight * from[i];
        }
    }
    return result;
}

}  // namespace plenosr
