#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "problem/problem.h"

namespace plenosr {

// A of a problem on the CPU, with samples in (view, y, x) order; one channel.
class ProblemOperator {
public:
    ProblemOperator(const Problem& problem, int threads);
    ~ProblemOperator();

    void forward(std::span<const float> x, std::span<float> samples);
    void adjoint(std::span<const float> samples, std::span<float> x);
    void normal(std::span<const float> x, std::span<float> result);
    void diagonal(std::span<float> result);

    const std::vector<float>& weights() const { return weights_; }
    const std::vector<float>& data(int channel) const { return data_[std::size_t(channel)]; }

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
    std::mutex mutex_;  // the operator has buffers of its own
    std::vector<float> weights_;
    std::vector<std::vector<float>> data_;  // of each channel
};

}  // namespace plenosr
