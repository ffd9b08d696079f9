#include "backends/cpu/warp.h"

namespace plenosr::cpu {
namespace {

Buffer<Position> warp_positions(const Image& disparity, double u, double v,
                                const WarpedImage& image) {
    Buffer<Position> positions(disparity.pixels());
    for (int y = 0; y < disparity.height; ++y)
        for (int x = 0; x < disparity.width; ++x) {
            const double d = double(disparity.at(y, x));
            positions[disparity.index(y, x)] =
                Position::at(image.x0 + x + u * d, image.y0 + y + v * d);
        }
    return positions;
}

}  // namespace

Warp::Warp(const Image& disparity, double u, double v, Interpolation interpolation,
           const WarpedImage& image)
    : continuation_(identity_psf(), image.width, image.height),
      sampler_(continuation_.padded_shape(), interpolation,
               warp_positions(disparity, u, v, image).view(), 1),
      padded_(continuation_.padded_shape()),
      ordered_(sampler_.size()) {}

OperatorBytes Warp::bytes_for(std::size_t pixels, int width, int height) {
    const std::size_t sampler = Sampler::bytes_for(pixels);
    const std::size_t positions = Buffer<Position>::bytes_for(pixels);
    return {positions + sampler,
            sampler + Blur::padded_shape(width, height, 0).bytes() + Vector::bytes_for(pixels),
            positions};
}

void Warp::forward(const float* x, float* out, const Parallel& parallel) {
    continuation_.forward(x, padded_, parallel);
    sampler_.forward(padded_, ordered_.data(), parallel);
    for (std::size_t i = 0; i < ordered_.size(); ++i)
        out[sampler_.order()[i]] = ordered_[i];
}

void Warp::adjoint(const float* in, float* x, const Parallel& parallel) {
    for (std::size_t i = 0; i < ordered_.size(); ++i)
        ordered_[i] = in[sampler_.order()[i]];
    sampler_.adjoint(ordered_.data(), padded_, parallel);
    continuation_.adjoint(padded_, x, parallel);
}

}  // namespace plenosr::cpu
