#include "backends/opencl/warp.h"

namespace plenosr::opencl {
namespace {

PaddedShape padded_shape(PlaneShape image) {
    return PaddedShape::for_sampling(image, 0);
}
std::size_t pixels(PlaneShape view) {
    return std::size_t(view.width) * std::size_t(view.height);
}

}  // namespace

MemoryPlan Warp::Shared::memory(PlaneShape image, PlaneShape view) {
    return Blur::memory(0, 0, padded_shape(image).margin, true)
        .add(padded_shape(image).bytes(), 2)
        .add(pixels(view) * sizeof(float));
}

MemoryPlan Warp::memory(const Tuning& tuning, PlaneShape image, PlaneShape view) {
    return Sampler::memory(tuning, padded_shape(image), pixels(view), false)
        .add(pixels(view) * sizeof(cl_uint));
}

Warp::Shared::Shared(Device& device, PlaneShape image, PlaneShape view_shape)
    : view(view_shape),
      continuation(device, identity_psf(), padded_shape(image)),
      padded(new_padded_image(device, padded_shape(image))),
      scratch(new_padded_image(device, padded_shape(image))),
      ordered(device.new_buffer(pixels(view) * sizeof(float))),
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
