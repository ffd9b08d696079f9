#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backends/cpu/buffer.h"
#include "backends/cpu/parallel.h"
#include "engine/problem_shape.h"
#include "problem/problem.h"

namespace plenosr::cpu {

// Bytes that operators take for a problem of a given shape. Each operator computes them next to its
// constructor, from the expressions that size its buffers.
struct OperatorBytes {
    std::size_t making = 0;   // peak inside the constructor
    std::size_t kept = 0;     // afterwards
    std::size_t largest = 0;  // largest single buffer
};

// A: image -> samples of all views, with its adjoint and A'MA. Samples come in the operator's own
// order: order()[i] is the place of sample i in (view, y, x).
class DataOperator {
public:
    virtual ~DataOperator() = default;

    virtual std::span<const std::uint32_t> order() const = 0;
    std::size_t samples() const { return order().size(); }

    virtual void forward(const float* x, float* samples, const Parallel& parallel) = 0;  // A x
    virtual void adjoint(const float* samples, float* x, const Parallel& parallel) = 0;  // A' s

    // Sets M = diag(m) and reassembles what depends on it. The caller keeps `m` alive.
    virtual void set_weights(const float* m, const Parallel& parallel) = 0;
    // q <- c A'MA p; each_row(y, q row) is called for every finished row while it is in cache
    using EachRow = std::function<void(int, float*)>;
    virtual void normal(float c, const float* p, float* q, const Parallel& parallel,
                        const EachRow& each_row) = 0;
    // An estimate of diag(A'MA), for preconditioning
    virtual void normal_diagonal(float* diagonal, const Parallel& parallel) = 0;

    virtual std::size_t bytes() const = 0;
};

std::unique_ptr<DataOperator> make_data_operator(const Problem& problem);
OperatorBytes data_operator_bytes(const ProblemShape& shape);

}  // namespace plenosr::cpu
