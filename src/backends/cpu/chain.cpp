#include "backends/cpu/chain.h"

#include <cstring>
#include <numeric>

#include "backends/cpu/simd_rows.h"

namespace plenosr::cpu {

Chain::Chain(const Problem& problem)
    : width_(problem.width),
      height_(problem.height),
      blur_(problem.psf, problem.low_width() * problem.scale, problem.low_height() * problem.scale),
      decimate_{blur_.padded_shape().image_width, blur_.padded_shape().image_height, problem.scale},
      warped_(problem.low_pixels() * std::size_t(problem.scale) * std::size_t(problem.scale)),
      summand_(problem.pixels()),
      blurred_(blur_.padded_shape()) {
    for (const Observation& o : problem.observations) {
        warps_.emplace_back(o.disparity, o.u, o.v, problem.interpolation,
                            WarpedImage{problem.width, problem.height, o.x0, o.y0});
        places_.push_back({problem.psf.x0 - o.x0, problem.psf.y0 - o.y0});
    }
    const std::size_t low = decimate_.low_pixels();
    order_ = Buffer<std::uint32_t>(low * warps_.size());
    std::iota(order_.data(), order_.data() + order_.size(), 0U);
    weighted_ = Vector(order_.size());
}

OperatorBytes Chain::bytes_for(const ProblemShape& s) {
    const std::size_t fine = s.low_pixels() * std::size_t(s.scale) * std::size_t(s.scale);
    const OperatorBytes warp = Warp::bytes_for(fine, s.width, s.height);
    const PaddedShape shape =
        Blur::padded_shape(s.low_width * s.scale, s.low_height * s.scale, s.blur_radius);
    const std::size_t kept = s.views * warp.kept + shape.bytes() + Vector::bytes_for(fine) +
                             Vector::bytes_for(s.pixels()) + Vector::bytes_for(s.samples()) +
                             Buffer<std::uint32_t>::bytes_for(s.samples()) +
                             Blur::bytes_for(s.psf_values);
    // While the last warp is made, the others exist.
    return {kept - warp.kept + warp.making, kept, warp.largest};
}

void Chain::forward(const float* x, float* samples, const Parallel& parallel) {
    const std::size_t low = decimate_.low_pixels();
    const int margin = blurred_.shape().margin;
    for (std::size_t k = 0; k < warps_.size(); ++k) {
        warps_[k].forward(x, warped_.data(), parallel);
        blur_.place(places_[k].x0, places_[k].y0);
        blur_.forward(warped_.data(), blurred_, parallel);
        decimate_.forward(blurred_.row(margin) + margin, blurred_.shape().stride(),
                          samples + k * low, parallel);
    }
}

void Chain::adjoint_with(Blur& blur, const float* samples, float* x, const Parallel& parallel) {
    const std::size_t low = decimate_.low_pixels();
    const int margin = blurred_.shape().margin;
    std::memset(x, 0, summand_.bytes());
    // The chain does not use the margin of the padded image: it holds zeros.
    for (int y = 0; y < blurred_.shape().height(); ++y)
        std::fill_n(blurred_.row(y), blurred_.shape().width(), 0.0F);
    for (std::size_t k = 0; k < warps_.size(); ++k) {
        decimate_.adjoint(samples + k * low, blurred_.row(margin) + margin,
                          blurred_.shape().stride(), parallel);
        blur.place(places_[k].x0, places_[k].y0);
        blur.adjoint(blurred_, warped_.data(), parallel);
        warps_[k].adjoint(warped_.data(), summand_.data(), parallel);
        parallel.ranges(height_, 16, [&](int begin, int end) {
            const std::ptrdiff_t at = std::ptrdiff_t(begin) * width_;
            axpby_row(1.0F, summand_.data() + at, 1.0F, x + at, (end - begin) * width_);
        });
    }
}

void Chain::adjoint(const float* samples, float* x, const Parallel& parallel) {
    adjoint_with(blur_, samples, x, parallel);
}

void Chain::set_weights(const float* m, const Parallel&) {
    weights_ = m;
}

void Chain::normal(float c, const float* p, float* q, const Parallel& parallel,
                   const EachRow& each_row) {
    forward(p, weighted_.data(), parallel);
    for (std::size_t i = 0; i < weighted_.size(); ++i)
        weighted_[i] *= c * weights_[i];
    adjoint(weighted_.data(), q, parallel);
    parallel.ranges(height_, 16, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            each_row(y, q + std::ptrdiff_t(y) * width_);
    });
}

void Chain::normal_diagonal(float* diagonal, const Parallel& parallel) {
    Blur squared = blur_.squared();
    adjoint_with(squared, weights_, diagonal, parallel);
}

std::size_t Chain::bytes() const {
    std::size_t total =
        blurred_.bytes() + warped_.bytes() + summand_.bytes() + weighted_.bytes() + order_.bytes();
    for (const Warp& warp : warps_)
        total += warp.bytes();
    return total;
}

}  // namespace plenosr::cpu
