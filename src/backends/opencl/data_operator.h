#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "backends/opencl/device_images.h"
#include "engine/engine.h"
#include "problem/problem.h"

namespace plenosr::opencl {

// Two padded images of the image's shape: scratch memory of the operators and the weights.
struct PaddedPair {
    PaddedImage first;
    PaddedImage second;
};

// A: image -> samples of all views, with its adjoint and A'MA, one channel at a time. Samples are
// in the operator's own order: order()[i] is the index of sample i in (view, y, x).
class DataOperator {
public:
    virtual ~DataOperator() = default;

    virtual const std::vector<std::uint32_t>& order() const = 0;
    int samples() const { return int(order().size()); }

    // `offset`: index of the channel's first sample
    virtual void forward(PlaneReader& reader, const Memory& x, int channel, Memory& samples,
                         std::size_t offset) = 0;  // A x
    virtual void adjoint(const Memory& samples, std::size_t offset, Memory& x,
                         int channel) = 0;  // A' s

    // Must be called when m has changed; m stays the caller's.
    virtual void set_weights(const Memory& m) = 0;
    // q <- A'MA p
    virtual void normal(PlaneReader& reader, const Memory& m, const Memory& p, int channel,
                        Memory& q) = 0;
    // Channel 0 of z <- an estimate of diag(A'MA), for preconditioning.
    virtual void normal_diagonal(const Memory& m, Memory& z) = 0;
};

// The form of A'MA: assembled or sample by sample, if `wanted` leaves it open.
NormalForm normal_form(NormalForm wanted, std::size_t samples, std::size_t pixels);

MemoryPlan data_operator_memory(const ProblemShape& s, const Tuning& tuning);
std::unique_ptr<DataOperator> make_data_operator(Device& device, const Problem& problem,
                                                 PaddedPair& padded);

}  // namespace plenosr::opencl
