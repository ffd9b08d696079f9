#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

#include "denoise/blocks.h"
#include "denoise/denoise.h"
#include "kernels/parameters.h"

namespace plenosr {
namespace {

constexpr int reach = nlm_reach;
constexpr int radius = nlm_block_radius;
constexpr int border = reach + radius;
constexpr int band = 32;  // rows of one task

// The image, continued by its border pixels.
struct Bordered {
    int stride;
    std::vector<float> values;
    const float* at(int y, int x) const {
        return values.data() + std::ptrdiff_t(y + border) * stride + x + border;
    }
};

Bordered bordered(std::span<const float> image, int width, int height) {
    Bordered b{width + 2 * border, {}};
    b.values.resize(std::size_t(b.stride) * std::size_t(height + 2 * border));
    for (int y = 0; y < height + 2 * border; ++y)
        for (int x = 0; x < b.stride; ++x)
            b.values[std::size_t(y) * std::size_t(b.stride) + std::size_t(x)] =
                image[std::size_t(std::clamp(y - border, 0, height - 1)) * std::size_t(width) +
                      std::size_t(std::clamp(x - border, 0, width - 1))];
    return b;
}

}  // namespace

void denoise_nlm(std::span<float> image, int width, int height, double sigma) {
    if (sigma <= 0) return;
    const Bordered b = bordered(image, width, height);
    const float variance = float(sigma * sigma);
    const float scale = 1.0F / variance;
    constexpr float area = (2 * radius + 1) * (2 * radius + 1);
    const int bands = (height + band - 1) / band;
    tbb::parallel_for(0, bands, [&](int i) {
        const int begin = i * band;
        const int rows = std::min(band, height - begin);
        const auto w = std::size_t(width);
        std::vector<float> across(std::size_t(rows + 2 * radius) * w);  // sums along x
        std::vector<float> squares(w + 2 * radius);
        std::vector<float> distance(w);
        std::vector<float> sum(std::size_t(rows) * w, 0.0F);
        std::vector<float> weight(std::size_t(rows) * w, 0.0F);
        for (int dy = -reach; dy <= reach; ++dy)
            for (int dx = -reach; dx <= reach; ++dx) {
                for (int r = 0; r < rows + 2 * radius; ++r) {
                    const int y = begin + r - radius;
                    const float* here = b.at(y, -radius);
                    const float* there = b.at(y + dy, dx - radius);
                    for (std::size_t x = 0; x < squares.size(); ++x)
                        squares[x] = (here[x] - there[x]) * (here[x] - there[x]);
                    float* out = across.data() + std::size_t(r) * w;
                    for (std::size_t x = 0; x < w; ++x)
                        out[x] = squares[x] + squares[x + 1] + squares[x + 2] + squares[x + 3] +
                                 squares[x + 4];
                }
                for (int r = 0; r < rows; ++r) {
                    const float* top = across.data() + std::size_t(r) * w;
                    for (std::size_t x = 0; x < w; ++x)
                        distance[x] = (top[x] + top[x + w] + top[x + 2 * w] + top[x + 3 * w] +
                                       top[x + 4 * w]) /
                                      area;
                    add_weighted_row(distance.data(), scale, b.at(begin + r + dy, dx),
                                     sum.data() + std::size_t(r) * w,
                                     weight.data() + std::size_t(r) * w, width);
                }
            }
        for (std::size_t k = 0; k < sum.size(); ++k)
            image[std::size_t(begin) * w + k] = sum[k] / weight[k];
    });
}

void denoise(Denoiser kind, std::span<float> planes, int width, int height, double sigma) {
    const std::size_t plane = std::size_t(width) * std::size_t(height);
    for (std::size_t at = 0; at < planes.size(); at += plane) {
        if (kind == Denoiser::bm3d) denoise_bm3d(planes.subspan(at, plane), width, height, sigma);
        if (kind == Denoiser::nlm) denoise_nlm(planes.subspan(at, plane), width, height, sigma);
    }
}

}  // namespace plenosr
