#include "backends/opencl/sampling.h"

#include "backends/opencl/chain.h"

namespace plenosr::opencl {

Sampling::Sampling(Device& device, const Problem& problem, Frames& frames)
    : device_(device), frames_(frames), blur_(device, problem.psf, frames.first.shape) {
    const auto for_each = [&](const auto& fn) {
        std::uint32_t place = 0;
        for (const Observation& o : problem.observations)
            for (int i = 0; i < o.values.height; ++i)
                for (int j = 0; j < o.values.width; ++j, ++place) {
                    if (!o.weight.empty() && o.weight.at(i, j) <= 0.0F) continue;
                    const double d = double(o.disparity.at(i, j));
                    fn(place, Position::at(o.x0 + problem.scale * j + o.u * d,
                                           o.y0 + problem.scale * i + o.v * d));
                }
    };
    CellTable cells =
        sort_into_cells(frames.first.shape, Sampler::taps_of(problem.interpolation), for_each);
    order_ = std::move(cells.order);
    sampler_ = std::make_unique<Sampler>(device, frames.first.shape, problem.interpolation, cells);
    const NormalForm form = normal_form(problem.normal, order_.size(), problem.pixels());
    if (form == NormalForm::direct)
        sampler_->need_normal();
    else
        stencil_ = std::make_unique<Stencil>(device, *sampler_, form == NormalForm::stencil);
}

void Sampling::forward(PlaneReader& reader, const Memory& x, int channel, Memory& samples,
                       std::size_t offset) {
    blur_.forward(reader, x, channel, frames_.first, frames_.second);
    sampler_->forward(frames_.first, samples, offset);
}

void Sampling::adjoint(const Memory& samples, std::size_t offset, Memory& x, int channel) {
    sampler_->adjoint(samples, offset, frames_.second);
    blur_.adjoint(frames_.second, x, channel, frames_.first);
}

void Sampling::set_weights(const Memory& m) {
    if (stencil_) stencil_->assemble(*sampler_, m);
}

void Sampling::normal(PlaneReader& reader, const Memory& m, const Memory& p, int channel,
                      Memory& q) {
    blur_.forward(reader, p, channel, frames_.first, frames_.second);
    if (stencil_)
        stencil_->apply(frames_.first, frames_.second);
    else
        sampler_->normal(frames_.first, m, frames_.second);
    blur_.adjoint(frames_.second, q, channel, frames_.first);
}

void Sampling::normal_diagonal(const Memory& m, Memory& z) {
    sampler_->adjoint(m, 0, frames_.second);
    Blur squared = blur_.squared();
    squared.adjoint(frames_.second, z, 0, frames_.first);
    device_.finish();  // its tables go with it
}

NormalForm normal_form(NormalForm wanted, std::size_t samples, std::size_t pixels) {
    if (wanted != NormalForm::automatic) return wanted;
    // The stencil costs the same for any number of samples; with few of them it does not pay.
    return double(samples) > 1.2 * double(pixels) ? NormalForm::stencil_f16 : NormalForm::direct;
}

std::unique_ptr<DataOperator> make_data_operator(Device& device, const Problem& problem,
                                                 Frames& frames) {
    if (problem.form == OperatorForm::chain) return std::make_unique<Chain>(device, problem);
    return std::make_unique<Sampling>(device, problem, frames);
}

}  // namespace plenosr::opencl
