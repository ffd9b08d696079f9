#include "backends/opencl/sampling.h"

#include "backends/opencl/chain.h"

namespace plenosr::opencl {

Sampling::Sampling(Device& device, const Problem& problem, PaddedPair& padded)
    : device_(device),
      padded_(padded),
      blur_(device, problem.psf, padded.first.shape),
      low_pixels_(problem.low_pixels()) {
    const auto for_each = [&](const auto& fn) {
        std::uint32_t place = 0;
        for (const Observation& o : problem.observations)
            for (int i = 0; i < o.values.height; ++i)
                for (int j = 0; j < o.values.width; ++j, ++place) {
                    if (!o.weight.empty() && o.weight.at(i, j) <= 0.0F) continue;
                    const Place at = o.place(problem.scale, i, j);
                    fn(place, Position::at(at.x, at.y));
                }
    };
    CellTable cells =
        sort_into_cells(padded.first.shape, Sampler::taps_of(problem.interpolation), for_each);
    sampler_ = std::make_unique<Sampler>(device, padded.first.shape, problem.interpolation, cells);
    order_ = std::move(cells.order);
    const NormalForm form = normal_form(problem.normal, order_.size(), problem.pixels());
    if (form == NormalForm::periodic) {
        if (const auto normal = periodic_normal(problem)) {
            periodic_ = std::make_unique<Periodic>(device, *normal, padded.first.shape,
                                                   problem.interpolation, cells);
            frame_weights_ = normal->weights;
        }
    }
    if (form == NormalForm::direct || (form == NormalForm::periodic && !periodic_))
        sampler_->need_normal();
    else if (!periodic_)
        stencil_ = std::make_unique<Stencil>(device, *sampler_, false);
}

void Sampling::forward(PlaneReader& reader, const Memory& x, int channel, Memory& samples,
                       std::size_t offset) {
    blur_.forward(reader, x, channel, padded_.first, padded_.second);
    sampler_->forward(padded_.first, samples, offset);
}

void Sampling::adjoint(const Memory& samples, std::size_t offset, Memory& x, int channel) {
    sampler_->adjoint(samples, offset, padded_.second);
    blur_.adjoint(padded_.second, x, channel, padded_.first);
}

void Sampling::set_weights(const Memory& m) {
    if (stencil_) stencil_->assemble(*sampler_, m);
    if (!periodic_) return;
    std::vector<float> weights(order_.size());
    device_.read(m, weights.data(), weights.size() * sizeof(float));
    is_periodic_ = true;
    for (std::size_t i = 0; i < order_.size() && is_periodic_; ++i)
        is_periodic_ = weights[i] == frame_weights_[order_[i] / low_pixels_];
    if (is_periodic_)
        periodic_->set_weights(weights);
    else
        sampler_->need_normal();
}

void Sampling::normal(PlaneReader& reader, const Memory& m, const Memory& p, int channel,
                      Memory& q) {
    blur_.forward(reader, p, channel, padded_.first, padded_.second);
    if (is_periodic_)
        periodic_->apply(padded_.first, padded_.second);
    else if (stencil_)
        stencil_->apply(padded_.first, padded_.second);
    else
        sampler_->normal(padded_.first, m, padded_.second);
    blur_.adjoint(padded_.second, q, channel, padded_.first);
}

void Sampling::normal_diagonal(const Memory& m, Memory& z) {
    sampler_->adjoint(m, 0, padded_.second);
    Blur squared = blur_.squared();
    squared.adjoint(padded_.second, z, 0, padded_.first);
    device_.finish();  // its tables go with it
}

NormalForm normal_form(NormalForm wanted, std::size_t samples, std::size_t pixels) {
    if (wanted != NormalForm::automatic) return wanted;
    // The stencil costs the same for any number of samples; with few of them it does not pay.
    return double(samples) > 1.2 * double(pixels) ? NormalForm::stencil_f16 : NormalForm::direct;
}

std::unique_ptr<DataOperator> make_data_operator(Device& device, const Problem& problem,
                                                 PaddedPair& padded) {
    if (problem.form == OperatorForm::chain) return std::make_unique<Chain>(device, problem);
    return std::make_unique<Sampling>(device, problem, padded);
}

}  // namespace plenosr::opencl
