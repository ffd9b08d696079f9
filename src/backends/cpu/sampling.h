#pragma once

#include "backends/cpu/blur.h"
#include "backends/cpu/data_operator.h"
#include "backends/cpu/periodic.h"
#include "backends/cpu/stencil.h"

namespace plenosr::cpu {

// The sampling operator A_k x = P_k (B x). With d_k constant over one blur footprint, blur and
// shift commute: the blur is done once in the reference frame, and low-resolution pixel i of view k
// is one interpolated sample of it at scale i + (u, v) d_k(i), d_k in high-resolution pixels.
//   A'MA = B' N B,   N = sum_k P_k' M_k P_k   (assembled: stencil.h; periodic.h; or sample by
//   sample)
// Pixels with m = 0 take no part and are not stored.
class Sampling final : public DataOperator {
public:
    explicit Sampling(const Problem& problem);

    std::span<const std::uint32_t> order() const override { return order_.view(); }
    void forward(const float* x, float* samples, const Parallel& parallel) override;
    void adjoint(const float* samples, float* x, const Parallel& parallel) override;
    void set_weights(const float* m, const Parallel& parallel) override;
    void normal(float c, const float* p, float* q, const Parallel& parallel,
                const EachRow& each_row) override;
    void normal_diagonal(float* diagonal, const Parallel& parallel) override;
    std::size_t bytes() const override;

private:
    // Makes the sampler; returns which place in (view, y, x) each of its samples has.
    Buffer<std::uint32_t> place_samples(const Problem& problem);

    Blur blur_;
    Buffer<std::uint32_t> order_;
    std::unique_ptr<Sampler> sampler_;
    std::unique_ptr<Stencil<float>> stencil_;
    std::unique_ptr<Stencil<hwy::float16_t>> stencil_f16_;
    std::unique_ptr<Periodic> periodic_;
    bool is_periodic_ = false;          // with the weights as they are now
    std::vector<float> frame_weights_;  // with which it would be
    std::size_t low_pixels_ = 1;
    const float* weights_ = nullptr;
    Frame blurred_;  // B x
    Frame spread_;   // N B x, or P' s
};

}  // namespace plenosr::cpu
