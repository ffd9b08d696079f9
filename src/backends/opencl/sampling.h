#pragma once

#include "backends/opencl/blur.h"
#include "backends/opencl/data_operator.h"
#include "backends/opencl/periodic.h"
#include "backends/opencl/stencil.h"

namespace plenosr::opencl {

// The sampling operator A_k x = P_k (B x): the blur is done once, on the grid of the reference
// view, and shared by all views. Low-resolution pixel i of view k is one interpolated sample of it.
//   A'MA = B' N B,   N = sum_k P_k' M_k P_k
// N is assembled (stencil.h), periodic (periodic.h) or applied sample by sample. Pixels with m = 0
// are not stored.
class Sampling final : public DataOperator {
public:
    Sampling(Device& device, const Problem& problem, PaddedPair& padded);

    static MemoryPlan memory(const ProblemShape& s, const Tuning& tuning);

    const std::vector<std::uint32_t>& order() const override { return order_; }
    void forward(PlaneReader& reader, const Memory& x, int channel, Memory& samples,
                 std::size_t offset) override;
    void adjoint(const Memory& samples, std::size_t offset, Memory& x, int channel) override;
    void set_weights(const Memory& m) override;
    void normal(PlaneReader& reader, const Memory& m, const Memory& p, int channel,
                Memory& q) override;
    void normal_diagonal(const Memory& m, Memory& z) override;

private:
    Device& device_;
    PaddedPair& padded_;
    Blur blur_;
    std::vector<std::uint32_t> order_;
    std::unique_ptr<Sampler> sampler_;
    std::unique_ptr<Stencil> stencil_;
    std::unique_ptr<Periodic> periodic_;
    bool is_periodic_ = false;          // with the current weights
    std::vector<float> frame_weights_;  // one per view, for which periodic_ holds
    std::size_t low_pixels_;
};

}  // namespace plenosr::opencl
