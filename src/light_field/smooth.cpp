#include "light_field/smooth.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace plenosr {
namespace {

std::vector<float> kernel_of(double sigma) {
    const int radius = sigma > 0 ? int(std::ceil(3 * sigma)) : 0;
    std::vector<double> k;
    double sum = 0;
    for (int i = -radius; i <= radius; ++i) {
        k.push_back(sigma > 0 ? std::exp(-i * i / (2 * sigma * sigma)) : 1.0);
        sum += k.back();
    }
    std::vector<float> result(k.size());
    std::transform(k.begin(), k.end(), result.begin(),
                   [&](double value) { return float(value / sum); });
    return result;
}

}  // namespace

Image smoothed(const Image& image, double sigma) {
    if (sigma <= 0) return image;
    const std::vector<float> k = kernel_of(sigma);
    const int radius = int(k.size() / 2);
    const int w = image.width;
    Image result(w, image.height);
    tbb::parallel_for(0, image.height, [&](int y) {
        std::vector<float> row(std::size_t(w + 2 * radius), 0.0F);
        for (std::size_t j = 0; j < k.size(); ++j) {
            const int from = std::clamp(y + int(j) - radius, 0, image.height - 1);
            const float* in = &image.values[image.index(from, 0)];
            for (int x = 0; x < w; ++x)
                row[std::size_t(x + radius)] += k[j] * in[x];
        }
        std::fill_n(row.begin(), radius, row[std::size_t(radius)]);
        std::fill_n(row.end() - radius, radius, row[std::size_t(w + radius - 1)]);
        float* out = &result.values[result.index(y, 0)];
        for (std::size_t i = 0; i < k.size(); ++i)
            for (int x = 0; x < w; ++x)
                out[x] += k[i] * row[std::size_t(x) + i];
    });
    return result;
}

double smoothed_noise(double sigma) {
    double squares = 0;
    for (const float k : kernel_of(sigma))
        squares += double(k) * double(k);
    return squares;  // sqrt(sum_x k_x^2 sum_y k_y^2), and both sums are equal
}

}  // namespace plenosr
