#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "denoise/blocks.h"
#include "denoise/bm3d_parameters.h"
#include "denoise/denoise.h"

namespace plenosr {
namespace {

using bm3d::padded;
using bm3d::reach;
using bm3d::step;
// Reference rows of one task. Two tasks of equal parity must not write to the same pixels:
// 2 * band_rows * step >= band_rows * step + 2 reach + block.
constexpr int band_rows = 8;
static_assert(band_rows * step >= 2 * reach + block);

struct Picture {
    int width = 0;  // multiples of `step`, at least one block
    int height = 0;
    std::vector<float> values;
    const float* at(int y, int x) const { return values.data() + index(y, x); }
    std::size_t index(int y, int x) const {
        return std::size_t(y) * std::size_t(width) + std::size_t(x);
    }
};

// The image, mirrored to the right and below.
Picture padded_picture(std::span<const float> image, int width, int height) {
    Picture p{padded(width), padded(height), {}};
    p.values.resize(std::size_t(p.width) * std::size_t(p.height));
    const auto mirror = [](int i, int size) {
        while (i >= size)
            i = std::max(0, 2 * size - 1 - i);
        return i;
    };
    for (int y = 0; y < p.height; ++y)
        for (int x = 0; x < p.width; ++x)
            p.values[p.index(y, x)] = image[std::size_t(mirror(y, height)) * std::size_t(width) +
                                            std::size_t(mirror(x, width))];
    return p;
}

// Noise makes similar blocks differ; they are compared after smoothing (binomial, 5 x 5).
Picture smoothed(const Picture& p) {
    static constexpr float taps[5] = {1 / 16.0F, 4 / 16.0F, 6 / 16.0F, 4 / 16.0F, 1 / 16.0F};
    Picture across = p;
    Picture out = p;
    tbb::parallel_for(0, p.height, [&](int y) {
        for (int x = 0; x < p.width; ++x) {
            float sum = 0;
            for (int t = -2; t <= 2; ++t)
                sum += taps[t + 2] * *p.at(y, std::clamp(x + t, 0, p.width - 1));
            across.values[p.index(y, x)] = sum;
        }
    });
    tbb::parallel_for(0, p.height, [&](int y) {
        for (int x = 0; x < p.width; ++x) {
            float sum = 0;
            for (int t = -2; t <= 2; ++t)
                sum += taps[t + 2] * *across.at(std::clamp(y + t, 0, p.height - 1), x);
            out.values[p.index(y, x)] = sum;
        }
    });
    return out;
}

// The most similar blocks of one reference block, the most similar first. The first is the block
// itself.
struct Matches {
    int count = 0;
    float distance[most_blocks];
    int y[most_blocks];
    int x[most_blocks];

    void add(float d, int py, int px) {
        if (count == most_blocks && d >= distance[count - 1]) return;
        int i = count < most_blocks ? count++ : count - 1;
        for (; i > 0 && distance[i - 1] > d; --i) {
            distance[i] = distance[i - 1];
            y[i] = y[i - 1];
            x[i] = x[i - 1];
        }
        distance[i] = d;
        y[i] = py;
        x[i] = px;
    }
    int stack_size(float limit) const {  // a power of 2; all distances are below the limit
        int n = 1;
        while (2 * n <= count && distance[2 * n - 1] < limit)
            n *= 2;
        return n;
    }
};

// Matches of the reference blocks in the rows first, first + step and so on.
void find_matches(const Picture& p, int first, int rows, std::vector<Matches>& found) {
    const int groups = p.width / step;
    const int across = groups - 1;  // reference blocks in a row
    found.assign(std::size_t(rows) * std::size_t(across), {});
    std::vector<float> sums(std::size_t(rows + 1) * std::size_t(groups));
    const auto sum_row = [&](int r) { return sums.data() + std::size_t(r) * std::size_t(groups); };
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx) {
            const int begin = (std::max(0, -dx) + step - 1) / step;
            const int end = (p.width - std::max(0, dx)) / step;  // of the groups
            for (int r = 0; r <= rows; ++r) {
                const int y = first + r * step;
                if (y + dy < 0 || y + dy + step > p.height) continue;
                std::fill(sum_row(r) + begin, sum_row(r) + end, 0.0F);
                add_square_differences(p.at(y, begin * step), p.at(y + dy, begin * step + dx),
                                       p.width, end - begin, sum_row(r) + begin);
            }
            for (int r = 0; r < rows; ++r) {
                const int y = first + r * step;
                if (y + dy < 0 || y + dy + block > p.height) continue;
                const float* upper = sum_row(r);
                const float* lower = sum_row(r + 1);
                for (int j = begin; j + 1 < end; ++j) {
                    const float d = dy == 0 && dx == 0
                                        ? -1.0F
                                        : upper[j] + upper[j + 1] + lower[j] + lower[j + 1];
                    found[std::size_t(r) * std::size_t(across) + std::size_t(j)].add(d, y + dy,
                                                                                     j * step + dx);
                }
            }
        }
}

struct Pass {
    const Picture& noisy;
    const Picture& compared;  // blocks are matched here
    const Picture* guide;     // of Wiener's filter; null: the threshold is used
    float sigma;
    float match_limit;
};

void filter_band(const Pass& pass, int first, int rows, std::vector<float>& sum,
                 std::vector<float>& weight) {
    const Picture& p = pass.noisy;
    std::vector<Matches> found;
    find_matches(pass.compared, first, rows, found);
    alignas(64) float stack[most_blocks * block_area];
    alignas(64) float guide[most_blocks * block_area];
    alignas(64) float values[block_area];
    const float variance = pass.sigma * pass.sigma;
    for (const Matches& m : found) {
        const int n = m.stack_size(pass.match_limit * float(block_area));
        for (int i = 0; i < n; ++i) {
            cosine_transform(p.at(m.y[i], m.x[i]), p.width, stack + i * block_area);
            if (pass.guide)
                cosine_transform(pass.guide->at(m.y[i], m.x[i]), p.width, guide + i * block_area);
        }
        const float left = pass.guide
                               ? filter_by_guide(stack, guide, n, variance)
                               : filter_by_threshold(stack, n, bm3d::threshold_factor * pass.sigma);
        const float w = 1.0F / std::max(left, 1e-3F);
        for (int i = 0; i < n; ++i) {
            inverse_cosine_transform(stack + i * block_area, values);
            const std::size_t at = p.index(m.y[i], m.x[i]);
            add_block(values, w, sum.data() + at, weight.data() + at, p.width);
        }
    }
}

Picture filtered(const Pass& pass) {
    const Picture& p = pass.noisy;
    std::vector<float> weight(p.values.size(), 0.0F);
    Picture out{p.width, p.height, std::vector<float>(p.values.size(), 0.0F)};
    const int rows = p.height / step - 1;  // of reference blocks
    const int bands = (rows + band_rows - 1) / band_rows;
    for (const int parity : {0, 1})
        tbb::parallel_for(0, (bands - parity + 1) / 2, [&](int i) {
            const int first = (2 * i + parity) * band_rows;
            filter_band(pass, first * step, std::min(band_rows, rows - first), out.values, weight);
        });
    for (std::size_t i = 0; i < out.values.size(); ++i)
        out.values[i] /= weight[i];  // every pixel lies in some reference block
    return out;
}

}  // namespace

void denoise_bm3d(std::span<float> image, int width, int height, double sigma) {
    if (sigma <= 0) return;
    const float s = float(sigma);
    const Picture noisy = padded_picture(image, width, height);
    Picture first;
    {
        const Picture compared = smoothed(noisy);
        first = filtered({noisy, compared, nullptr, s, bm3d::first_limit(s)});
    }
    const Picture second = filtered({noisy, first, &first, s, bm3d::second_limit(s)});
    for (int y = 0; y < height; ++y)
        std::copy_n(second.at(y, 0), width,
                    image.begin() + std::ptrdiff_t(y) * std::ptrdiff_t(width));
}

std::size_t denoise_bytes(int width, int height, int threads) {
    const auto pixels = std::size_t(padded(width)) * std::size_t(padded(height));
    const std::size_t refs = std::size_t(padded(width) / step) * band_rows;
    return 4 * pixels * sizeof(float) + std::size_t(threads) * refs * sizeof(Matches);
}

}  // namespace plenosr
