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
      sampler_(continuation_.frame_shape(), interpolation,
               warp_positions(disparity, u, v, image).view(), 1),
      frame_(continuation_.frame_shape()),
      ordered_(sampler_.size()) {}

void Warp::forward(const float* x, float* out, const Parallel& parallel) {
    continuation_.forward(x, frame_, parallel);
    sampler_.forward(frame_, ordered_.data(), parallel);
    for (std::size_t i = 0; i < ordered_.size(); ++i)
        out[sampler_.order()[i]] = ordered_[i];
}

void Warp::adjoint(const float* in, float* x, const Parallel& parallel) {
    for (std::size_t i = 0; i < ordered_.size(); ++i)
        ordered_[i] = in[sampler_.order()[i]];
    sampler_.adjoint(ordered_.data(), frame_, parallel);
    continuation_.adjoint(frame_, x, parallel);
}

}  // namespace plenosr::cpu
