#include "devices/problem_operator.h"

#include <algorithm>

#include "backends/cpu/data_operator.h"

namespace plenosr {

struct ProblemOperator::Parts {
    cpu::Parallel parallel;
    std::unique_ptr<cpu::DataOperator> a;
    // In the operator's own order; all are 0 or in use by one call.
    cpu::Vector x;
    cpu::Vector samples;
    cpu::Vector weights;
    cpu::Vector result;

    Parts(const Problem& problem, int threads)
        : parallel(threads),
          a(cpu::make_data_operator(problem)),
          x(problem.pixels()),
          samples(a->samples()),
          weights(a->samples()),
          result(problem.pixels()) {}
};

ProblemOperator::ProblemOperator(const Problem& problem, int threads)
    : parts_(std::make_unique<Parts>(problem, threads)) {
    const std::size_t low = problem.low_pixels();
    const std::size_t all = low * problem.observations.size();
    const auto channels = std::size_t(problem.channels);
    weights_.assign(all, 0);
    data_.assign(channels, std::vector<float>(all, 0));
    const std::span<const std::uint32_t> order = parts_->a->order();
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Observation& o = problem.observations[order[i] / low];
        const std::size_t pixel = order[i] % low;
        weights_[order[i]] = o.weight.empty() ? 1.0F : o.weight.values[pixel];
        parts_->weights[i] = weights_[order[i]];
        for (std::size_t c = 0; c < channels; ++c)
            data_[c][order[i]] = o.values.values[pixel * channels + c];
    }
    parts_->a->set_weights(parts_->weights.data(), parts_->parallel);
}

ProblemOperator::~ProblemOperator() = default;

void ProblemOperator::forward(std::span<const float> x, std::span<float> samples) {
    const std::scoped_lock lock(mutex_);
    Parts& p = *parts_;
    std::copy(x.begin(), x.end(), p.x.data());
    p.a->forward(p.x.data(), p.samples.data(), p.parallel);
    std::fill(samples.begin(), samples.end(), 0.0F);
    const std::span<const std::uint32_t> order = p.a->order();
    for (std::size_t i = 0; i < order.size(); ++i)
        samples[order[i]] = p.samples[i];
}

void ProblemOperator::adjoint(std::span<const float> samples, std::span<float> x) {
    const std::scoped_lock lock(mutex_);
    Parts& p = *parts_;
    const std::span<const std::uint32_t> order = p.a->order();
    for (std::size_t i = 0; i < order.size(); ++i)
        p.samples[i] = samples[order[i]];
    p.a->adjoint(p.samples.data(), p.result.data(), p.parallel);
    std::copy_n(p.result.data(), x.size(), x.data());
}

void ProblemOperator::normal(std::span<const float> x, std::span<float> result) {
    const std::scoped_lock lock(mutex_);
    Parts& p = *parts_;
    std::copy(x.begin(), x.end(), p.x.data());
    p.a->normal(1.0F, p.x.data(), p.result.data(), p.parallel, [](int, float*) {});
    std::copy_n(p.result.data(), result.size(), result.data());
}

void ProblemOperator::diagonal(std::span<float> result) {
    const std::scoped_lock lock(mutex_);
    Parts& p = *parts_;
    p.a->normal_diagonal(p.result.data(), p.parallel);
    // The estimate may be negative where few samples are; a preconditioner needs positive values.
    constexpr float smallest_share = 1e-6F;
    const std::span<const float> estimate = p.result.view();
    const float least = smallest_share * *std::max_element(estimate.begin(), estimate.end());
    std::transform(estimate.begin(), estimate.end(), result.begin(),
                   [&](float d) { return std::max(d, least); });
}

}  // namespace plenosr
