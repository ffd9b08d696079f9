#pragma once

#include "backends/cpu/data_operator.h"
#include "backends/cpu/decimate.h"
#include "backends/cpu/warp.h"

namespace plenosr::cpu {

// The chain A_k = D B W_k: the general reference. Exact for any disparity; costs a warp and a blur
// at high resolution per view.
class Chain final : public DataOperator {
public:
    explicit Chain(const Problem& problem);

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
    void adjoint_with(Blur& blur, const float* samples, float* x, const Parallel& parallel);

    int width_;
    int height_;
    std::vector<Warp> warps_;
    Blur blur_;  // on the views' grid at high resolution
    struct Place {
        double x0;
        double y0;
    };
    std::vector<Place> places_;  // per view: position of a PSF grid on its crop
    Decimate decimate_;
    Buffer<std::uint32_t> order_;  // the identity: samples are in the order (view, y, x)
    const float* weights_ = nullptr;
    Vector warped_;        // W_k x
    Vector summand_;       // one view's summand of the adjoint
    Vector weighted_;      // M A p
    PaddedImage blurred_;  // B W_k x
};

}  // namespace plenosr::cpu
