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

// Point samples P: frame -> samples.   (P t)_i = sum_{j,k} w_j(fy_i) w_k(fx_i) t(y_i + j, x_i + k)
// with bilinear or bicubic weights; the adjoint P' scatters with the same weights.
//
// Samples are stored by the frame row of their first tap, so that each range of frame rows is
// filled by one thread, in one order: no atomics, the same bits for any number of threads.
class Sampler {
public:
    // `spacing`: distance of neighbours in `positions`, in pixels. Neighbours whose footprints
    // overlap are set apart in the order, else each would wait for the other's store.
    Sampler(FrameShape frame, Interpolation interpolation, std::span<const Position> positions,
            int spacing);

    std::size_t size() const { return samples_.size(); }
    int taps() const { return taps_; }
    const FrameShape& frame_shape() const { return frame_; }
    // order()[i]: which of the given positions sample i is
    std::span<const std::uint32_t> order() const { return order_.view(); }
    Buffer<std::uint32_t> take_order() { return std::exchange(order_, {}); }
    // samples whose first tap is on frame row y are starts()[y] … starts()[y + 1] - 1
    const std::vector<std::uint32_t>& starts() const { return starts_; }
    const Sample* samples() const { return samples_.data(); }
    std::size_t bytes() const;

    void forward(const Frame& t, float* samples, const Parallel& parallel) const;  // P t
    void adjoint(const float* samples, Frame& t, const Parallel& parallel) const;  // P' samples
    // t <- P' diag(m) P s, without storing the samples
    void normal(const Frame& s, const float* m, Frame& t, const Parallel& parallel) const;

private:
    template <class Fn>  // values(row, count) gives the row's sample values
    void scatter(Frame& t, const Parallel& parallel, const Fn& values) const;

    FrameShape frame_;
    int taps_;
    Buffer<Sample> samples_;
    Buffer<std::uint32_t> order_;
    std::vector<std::uint32_t> starts_;
};

}  // namespace plenosr::cpu
