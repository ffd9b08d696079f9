#pragma once

#include "backends/cpu/blur.h"
#include "backends/cpu/data_operator.h"
#include "backends/cpu/periodic.h"
#include "backends/cpu/stencil.h"

namespace plenosr::cpu {

// The sampling operator A_k x = P_k (B x). With d_k constant over one blur footprint, blur and
// shift commute: the blur is applied once, to the reference, and low-resolution pixel i of view k
// is one interpolated sample of it at scale i + (u, v) d_k(i), d_k in high-resolution pixels.
//   A'MA = B' N B,   N = sum_k P_k' M_k P_k
// N is assembled (stencil.h), periodic (periodic.h) or applied sample by sample. Pixels with m = 0
// are not stored.
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
    static OperatorBytes bytes_for(const ProblemShape& shape);

private:
    // Makes the sampler; returns the place in (view, y, x) of each of its samples.
    Buffer<std::uint32_t> place_samples(const Problem& problem);

    Blur blur_;
    Buffer<std::uint32_t> order_;
    std::unique_ptr<Sampler> sampler_;
    std::unique_ptr<Stencil> stencil_;
    std::unique_ptr<Periodic> periodic_;
    std::vector<float> view_weights_;  // one m per view, with which periodic_ was made
    bool is_periodic_ = false;         // the current m equals view_weights_
    std::size_t low_pixels_ = 1;
    const float* weights_ = nullptr;
    PaddedImage blurred_;  // B x
    PaddedImage spread_;   // N B x, or P' s
};

}  // namespace plenosr::cpu
