#include "backends/opencl/warp.h"

namespace plenosr::opencl {

Warp::Shared::Shared(Device& device, PlaneShape image, PlaneShape view_shape)
    : view(view_shape),
      continuation(device, identity_psf(), PaddedShape{image, 3}),
      padded(new_padded_image(device, PaddedShape{image, 3})),
      scratch(new_padded_image(device, PaddedShape{image, 3})),
      ordered(
          device.new_buffer(std::size_t(view.width) * std::size_t(view.height) * sizeof(float))),
      scatter(device.kernel("decimate", "scatter_order")),
      gather(device.kernel("decimate", "gather_order")) {}

Warp::Warp(Device& device, Shared& shared, const Observation& o, Interpolation interpolation)
    : device_(device), shared_(shared) {
    const auto for_each = [&](const auto& fn) {
        std::uint32_t place = 0;
        for (int y = 0; y < o.disparity.height; ++y)
            for (int x = 0; x < o.disparity.width; ++x) {
                const double d = double(o.disparity.at(y, x));
                fn(place++, Position::at(o.x0 + x + o.u * d, o.y0 + y + o.v * d));
            }
    };
    const CellTable cells =
        sort_into_cells(shared.padded.shape, Sampler::taps_of(interpolation), for_each);
    sampler_ = std::make_unique<Sampler>(device, shared.padded.shape, interpolation, cells);
    order_ = device.new_constants(cells.order.data(), cells.order.size() * sizeof(cl_uint));
}

Grid Warp::order_grid() const {
    const std::size_t count = std::size_t(sampler_->count());
    return value_grid(device_.tuning(), count, 3 * count * sizeof(float));
}

void Warp::forward(PlaneReader& reader, const Memory& x, int channel, Memory& out) {
    Shared& s = shared_;
    s.continuation.forward(reader, x, channel, s.padded, s.scratch);
    sampler_->forward(s.padded, s.ordered, 0);
    s.scatter(order_grid(), s.ordered, order_, sampler_->count(), s.view.width, s.view.stride(),
              out);
}

void Warp::adjoint(const Memory& in, Memory& x) {
    Shared& s = shared_;
    s.gather(order_grid(), in, order_, sampler_->count(), s.view.width, s.view.stride(), s.ordered);
    sampler_->adjoint(s.ordered, 0, s.padded);
    s.continuation.adjoint(s.padded, x, 0, s.scratch);
}

}  // namespace plenosr::opencl
