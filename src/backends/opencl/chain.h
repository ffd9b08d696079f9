#pragma once

#include "backends/opencl/data_operator.h"
#include "backends/opencl/warp.h"

namespace plenosr::opencl {

// The chain A_k = D B W_k: the general reference form. Exact for any disparity, at the cost of a
// warp and a blur at high resolution per view.
class Chain final : public DataOperator {
public:
    Chain(Device& device, const Problem& problem);

    static MemoryPlan memory(const ProblemShape& s, const Tuning& tuning);

    const std::vector<std::uint32_t>& order() const override { return order_; }
    void forward(PlaneReader& reader, const Memory& x, int channel, Memory& samples,
                 std::size_t offset) override;
    void adjoint(const Memory& samples, std::size_t offset, Memory& x, int channel) override;
    void set_weights(const Memory&) override {}
    void normal(PlaneReader& reader, const Memory& m, const Memory& p, int channel,
                Memory& q) override;
    void normal_diagonal(const Memory& m, Memory& z) override;

private:
    void adjoint_with(Blur& blur, const Memory& samples, std::size_t offset, Memory& x,
                      int channel);

    Device& device_;
    PlaneShape image_;
    int scale_;
    int low_width_;
    int low_height_;
    std::vector<std::uint32_t> order_;  // the identity
    Warp::Shared shared_;
    std::vector<Warp> warps_;
    PlaneReader view_reader_;
    PaddedImage blurred_;  // B W_k x
    PaddedImage scratch_;
    Blur blur_;
    struct Place {
        double x0;
        double y0;
    };
    std::vector<Place> places_;  // per view: position of a grid of PSFs on its crop
    Memory warped_;              // W_k x
    Memory summand_;             // one view's contribution to the adjoint
    Memory weighted_;            // M A p
    Kernel down_;
    Kernel up_;
    Kernel weigh_;
    Kernel add_;
};

}  // namespace plenosr::opencl
