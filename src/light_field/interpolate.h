#pragma once

#include <algorithm>

#include "kernels/pixel.h"
#include "kernels/rounding.h"
#include "plenosr/image.h"

namespace plenosr {

// Bilinear value of one channel of an image, continued by its border pixels.
inline float bilinear_at(const Image& image, double x, double y, int channel = 0) {
    x = std::clamp(x, 0.0, double(image.width - 1));
    y = std::clamp(y, 0.0, double(image.height - 1));
    const int x0 = floor_to_int(x);
    const int y0 = floor_to_int(y);
    const int x1 = std::min(x0 + 1, image.width - 1);
    const int y1 = std::min(y0 + 1, image.height - 1);
    const float fx = float(x - x0);
    const float fy = float(y - y0);
    return (1 - fy) * ((1 - fx) * image.at(y0, x0, channel) + fx * image.at(y0, x1, channel)) +
           fy * ((1 - fx) * image.at(y1, x0, channel) + fx * image.at(y1, x1, channel));
}

// The bicubic value of one channel; the border is replicated.
inline float bicubic_at(const Image& image, double x, double y, int channel) {
    const int x0 = floor_to_int(x);
    const int y0 = floor_to_int(y);
    float wx[4];
    float wy[4];
    cubic_weights(float(x - x0), wx);
    cubic_weights(float(y - y0), wy);
    float sum = 0;
    if (x0 >= 1 && y0 >= 1 && x0 + 2 < image.width && y0 + 2 < image.height) {  // all taps inside
        const std::size_t step = std::size_t(image.channels);
        for (int j = 0; j < 4; ++j) {
            const float* p = image.values.data() + image.index(y0 - 1 + j, x0 - 1, channel);
            float line = 0;
            for (std::size_t i = 0; i < 4; ++i)
                line += wx[i] * p[i * step];
            sum += wy[j] * line;
        }
        return sum;
    }
    for (int j = 0; j < 4; ++j) {
        const int row = std::clamp(y0 - 1 + j, 0, image.height - 1);
        float line = 0;
        for (int i = 0; i < 4; ++i)
            line += wx[i] * image.at(row, std::clamp(x0 - 1 + i, 0, image.width - 1), channel);
        sum += wy[j] * line;
    }
    return sum;
}

struct ValueAndGradient {
    double value = 0, gx = 0, gy = 0;
};

// Bicubic value and gradient of a one-channel image, continued by its border pixels.
inline ValueAndGradient bicubic_with_gradient(const Image& image, double x, double y) {
    const int x0 = floor_to_int(x);
    const int y0 = floor_to_int(y);
    double wx[4], wy[4], sx[4], sy[4];
    cubic_weights(x - x0, wx);
    cubic_weights(y - y0, wy);
    cubic_slopes(x - x0, sx);
    cubic_slopes(y - y0, sy);
    ValueAndGradient result;
    for (int j = 0; j < 4; ++j) {
        const int row = std::clamp(y0 - 1 + j, 0, image.height - 1);
        double value = 0;
        double slope = 0;
        for (int i = 0; i < 4; ++i) {
            const double v = double(image.at(row, std::clamp(x0 - 1 + i, 0, image.width - 1)));
            value += wx[i] * v;
            slope += sx[i] * v;
        }
        result.value += wy[j] * value;
        result.gx += wy[j] * slope;
        result.gy += sy[j] * value;
    }
    return result;
}

}  // namespace plenosr
