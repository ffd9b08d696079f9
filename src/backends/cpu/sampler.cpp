#include "backends/cpu/sampler.h"

#include <cmath>
#include <cstring>
#include <numeric>

namespace plenosr::cpu {
namespace {

constexpr int block_columns = 64;  // samples of a row are stored block by block, for the cache

}  // namespace

Sampler::Sampler(PaddedShape shape, Interpolation interpolation,
                 std::span<const Position> positions, int spacing)
    : shape_(shape), taps_(interpolation == Interpolation::bicubic ? 4 : 2) {
    const int before = taps_ / 2 - 1;  // taps left of the whole pixel
    const int last_x = shape.width() - taps_;
    const int last_y = shape.height() - taps_;
    const int phases = (taps_ + spacing - 1) / spacing;
    const int blocks = shape.width() / block_columns + 1;

    // Clamping the first tap keeps the fraction: all taps read one value there (padded_image.h).
    const auto first_x = [&](const Position& p) {
        return std::clamp(p.x + shape.margin - before, 0, last_x);
    };
    const auto first_y = [&](const Position& p) {
        return std::clamp(p.y + shape.margin - before, 0, last_y);
    };
    const auto key = [&](std::size_t i) {
        const Position& p = positions[i];
        const std::size_t block = std::size_t(first_x(p) / block_columns);
        const std::size_t phase = i % std::size_t(phases);
        return (std::size_t(first_y(p)) * std::size_t(blocks) + block) * std::size_t(phases) +
               phase;
    };

    // Counting sort by (row, block, phase).
    const std::size_t keys_per_row = std::size_t(blocks) * std::size_t(phases);
    std::vector<std::uint32_t> place(std::size_t(shape.height()) * keys_per_row + 1, 0);
    for (std::size_t i = 0; i < positions.size(); ++i)
        ++place[key(i) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    starts_.resize(std::size_t(shape.height()) + 1);
    for (std::size_t y = 0; y < starts_.size(); ++y)
        starts_[y] = place[y * keys_per_row];
    samples_ = Buffer<Sample>(positions.size());
    order_ = Buffer<std::uint32_t>(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Position& p = positions[i];
        const std::uint32_t at = place[key(i)]++;
        samples_[at] = {first_x(p), p.fx, p.fy};
        order_[at] = std::uint32_t(i);
    }
}

void Sampler::forward(const PaddedImage& t, float* samples, const Parallel& parallel) const {
    parallel.ranges(shape_.height(), 8, [&](int begin, int end) {
        for (int y = begin; y < end; ++y) {
            const std::uint32_t start = starts_[std::size_t(y)];
            gather_samples(taps_, samples_.data() + start, int(starts_[std::size_t(y) + 1] - start),
                           t.row(y), shape_.stride(), samples + start);
        }
    });
}

template <class Fn>
void Sampler::scatter(PaddedImage& t, const Parallel& parallel, const Fn& values) const {
    parallel.ranges(shape_.height(), 16, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            std::memset(t.row(y), 0, std::size_t(shape_.width()) * sizeof(float));
        for (int y = std::max(0, begin - taps_ + 1); y < end; ++y) {
            const std::uint32_t start = starts_[std::size_t(y)];
            const int n = int(starts_[std::size_t(y) + 1] - start);
            if (n == 0) continue;
            scatter_samples(taps_, samples_.data() + start, n, values(y, start, n), t.row(y),
                            shape_.stride(), std::max(0, begin - y), std::min(taps_, end - y));
        }
    });
}

void Sampler::adjoint(const float* samples, PaddedImage& t, const Parallel& parallel) const {
    scatter(t, parallel, [&](int, std::uint32_t start, int) { return samples + start; });
}

void Sampler::normal(const PaddedImage& s, const float* m, PaddedImage& t,
                     const Parallel& parallel) const {
    scatter(t, parallel, [&](int y, std::uint32_t start, int n) {
        static thread_local std::vector<float> row;
        if (row.size() < std::size_t(n)) row.resize(std::size_t(n));
        gather_samples(taps_, samples_.data() + start, n, s.row(y), shape_.stride(), row.data());
        for (int i = 0; i < n; ++i)
            row[std::size_t(i)] *= m[start + std::uint32_t(i)];
        return static_cast<const float*>(row.data());
    });
}

}  // namespace plenosr::cpu
