#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "backends/cpu/padded_image.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/simd_sampler.h"
#include "plenosr/reconstruct.h"
#include "problem/position.h"

namespace plenosr::cpu {

// Point samples P: padded image -> samples.
//   (P t)_i = sum_{j,k} w_j(fy_i) w_k(fx_i) t(y_i + j, x_i + k)
// with bilinear or bicubic weights; the adjoint P' scatters with the same weights.
//
// Samples are stored by the padded row of their first tap. One thread fills each range of rows, in
// one order: no atomics, the same bits for any number of threads.
class Sampler {
public:
    // `spacing`: distance of neighbours in `positions`, in pixels. Neighbours whose footprints
    // overlap are set apart in the order; otherwise each would wait for the other's store.
    Sampler(PaddedShape shape, Interpolation interpolation, std::span<const Position> positions,
            int spacing);

    std::size_t size() const { return samples_.size(); }
    int taps() const { return taps_; }
    const PaddedShape& padded_shape() const { return shape_; }
    // order()[i]: index in `positions` of sample i
    std::span<const std::uint32_t> order() const { return order_.view(); }
    Buffer<std::uint32_t> take_order() { return std::exchange(order_, {}); }
    // samples starts()[y] … starts()[y + 1] - 1 have their first tap on padded row y
    const std::vector<std::uint32_t>& starts() const { return starts_; }
    const Sample* samples() const { return samples_.data(); }
    std::size_t bytes() const { return samples_.bytes() + order_.bytes(); }
    // Bytes of a sampler with `count` samples.
    static std::size_t bytes_for(std::size_t count) {
        return Buffer<Sample>::bytes_for(count) + Buffer<std::uint32_t>::bytes_for(count);
    }

    void forward(const PaddedImage& t, float* samples, const Parallel& parallel) const;  // P t
    void adjoint(const float* samples, PaddedImage& t,
                 const Parallel& parallel) const;  // P' samples
    // t <- P' diag(m) P s, without storing the samples
    void normal(const PaddedImage& s, const float* m, PaddedImage& t,
                const Parallel& parallel) const;

private:
    template <class Fn>  // values(row, first sample, count): the row's sample values
    void scatter(PaddedImage& t, const Parallel& parallel, const Fn& values) const;

    PaddedShape shape_;
    int taps_;
    Buffer<Sample> samples_;
    Buffer<std::uint32_t> order_;
    std::vector<std::uint32_t> starts_;
};

}  // namespace plenosr::cpu
