#include "backends/cpu/sampling.h"

#include "backends/cpu/chain.h"
#include "backends/cpu/simd_rows.h"

namespace plenosr::cpu {
namespace {

bool takes_part(const Observation& o, std::size_t pixel) {
    return o.weight.empty() || o.weight.values[pixel] > 0.0F;
}

}  // namespace

Sampling::Sampling(const Problem& problem)
    : blur_(problem.psf, problem.width, problem.height),
      blurred_(blur_.padded_shape()),
      spread_(blur_.padded_shape()) {
    order_ = place_samples(problem);
    low_pixels_ = problem.low_pixels();
    if (problem.normal == NormalForm::periodic) {
        if (const auto normal = periodic_normal(problem)) {
            periodic_ = std::make_unique<Periodic>(*normal, *sampler_, problem.interpolation);
            view_weights_ = normal->weights;
        }
    } else if (problem.normal != NormalForm::direct) {
        stencil_ = std::make_unique<Stencil>(blur_.padded_shape(), sampler_->taps());
    }
}

OperatorBytes Sampling::bytes_for(const ProblemShape& s) {
    const PaddedShape shape = Blur::padded_shape(s.width, s.height, s.blur_radius);
    const std::size_t images = 2 * shape.bytes();  // blurred_, spread_
    const std::size_t sampler = Sampler::bytes_for(s.samples());
    const std::size_t positions = Buffer<Position>::bytes_for(s.samples());
    const std::size_t places = Buffer<std::uint32_t>::bytes_for(s.samples());
    const std::size_t normal = s.normal == NormalForm::direct ? 0
                               : s.normal == NormalForm::periodic
                                   ? Periodic::bytes_for(s)
                                   : Stencil::bytes_for(shape, s.taps());
    return {images + positions + places + sampler,
            images + sampler + normal + Blur::bytes_for(s.psf_values), std::max(normal, positions)};
}

Buffer<std::uint32_t> Sampling::place_samples(const Problem& problem) {
    const std::size_t low = problem.low_pixels();
    const int low_width = problem.low_width();
    std::size_t count = 0;
    for (const Observation& o : problem.observations)
        for (std::size_t pixel = 0; pixel < low; ++pixel)
            count += takes_part(o, pixel) ? 1 : 0;

    Buffer<Position> positions(count);
    Buffer<std::uint32_t> places(count);
    std::size_t i = 0;
    std::uint32_t place = 0;
    for (const Observation& o : problem.observations)
        for (std::size_t pixel = 0; pixel < low; ++pixel, ++place) {
            if (!takes_part(o, pixel)) continue;
            const Place at = o.place(problem.scale, int(pixel) / low_width, int(pixel) % low_width);
            positions[i] = Position::at(at.x, at.y);
            places[i++] = place;
        }
    sampler_ = std::make_unique<Sampler>(blur_.padded_shape(), problem.interpolation,
                                         positions.view(), problem.scale);
    Buffer<std::uint32_t> order = sampler_->take_order();
    for (std::size_t k = 0; k < count; ++k)
        order[k] = places[order[k]];
    return order;
}

void Sampling::forward(const float* x, float* samples, const Parallel& parallel) {
    blur_.forward(x, blurred_, parallel);
    sampler_->forward(blurred_, samples, parallel);
}

void Sampling::adjoint(const float* samples, float* x, const Parallel& parallel) {
    sampler_->adjoint(samples, spread_, parallel);
    blur_.adjoint(spread_, x, parallel);
}

void Sampling::set_weights(const float* m, const Parallel& parallel) {
    weights_ = m;
    is_periodic_ = periodic_ != nullptr;
    for (std::size_t i = 0; i < order_.size() && is_periodic_; ++i)
        is_periodic_ = m[i] == view_weights_[order_[i] / low_pixels_];
    if (is_periodic_) periodic_->set_weights(m);
    if (stencil_) stencil_->assemble(*sampler_, m, parallel);
}

void Sampling::normal(float c, const float* p, float* q, const Parallel& parallel,
                      const EachRow& each_row) {
    blur_.forward(p, blurred_, parallel);
    if (is_periodic_)
        periodic_->apply(blurred_, spread_, parallel);
    else if (stencil_)
        stencil_->apply(blurred_, spread_, parallel);
    else
        sampler_->normal(blurred_, weights_, spread_, parallel);
    const int width = blur_.padded_shape().image_width;
    blur_.adjoint(spread_, q, parallel, [&](int y, float* row) {
        axpby_row(0.0F, row, c, row, width);
        each_row(y, row);
    });
}

void Sampling::normal_diagonal(float* diagonal, const Parallel& parallel) {
    sampler_->adjoint(weights_, spread_, parallel);
    blur_.squared().adjoint(spread_, diagonal, parallel);
}

std::size_t Sampling::bytes() const {
    return sampler_->bytes() + order_.bytes() + blurred_.bytes() + spread_.bytes() +
           (periodic_ ? periodic_->bytes() : 0) + (stencil_ ? stencil_->bytes() : 0);
}

std::unique_ptr<DataOperator> make_data_operator(const Problem& problem) {
    if (problem.form == OperatorForm::chain) return std::make_unique<Chain>(problem);
    return std::make_unique<Sampling>(problem);
}

OperatorBytes data_operator_bytes(const ProblemShape& shape) {
    return shape.form == OperatorForm::chain ? Chain::bytes_for(shape) : Sampling::bytes_for(shape);
}

}  // namespace plenosr::cpu
