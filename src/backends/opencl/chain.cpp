#include "backends/opencl/chain.h"

#include <numeric>

#include "psf/psf_factors.h"

namespace plenosr::opencl {
namespace {

PlaneShape view_shape(const Problem& problem) {
    const Image& values = problem.observations.front().values;
    return {values.width * problem.scale, values.height * problem.scale};
}

PaddedShape padded_view_shape(const Problem& problem) {
    return PaddedShape::for_sampling(view_shape(problem), psf_radius(problem.psf));
}

}  // namespace

MemoryPlan Chain::memory(const ProblemShape& s, const Tuning& tuning) {
    const PlaneShape image{s.width, s.height};
    const PlaneShape view{s.low_width * s.scale, s.low_height * s.scale};
    const PaddedShape padded = PaddedShape::for_sampling(view, s.blur_radius);
    return Warp::Shared::memory(image, view)
        .add(Warp::memory(tuning, image, view), s.views)
        .add(PlaneReader::memory(tuning, view))
        .add(padded.bytes(), 2)
        .add(Blur::memory(s.blur_radius, s.psf_values, padded.margin, false))
        .add(view.bytes())
        .add(image.bytes())
        .add(s.samples() * sizeof(float));
}

Chain::Chain(Device& device, const Problem& problem)
    : device_(device),
      image_{problem.width, problem.height},
      scale_(problem.scale),
      low_width_(problem.observations.front().values.width),
      low_height_(problem.observations.front().values.height),
      order_(problem.observations.size() * std::size_t(low_width_) * std::size_t(low_height_)),
      shared_(device, image_, view_shape(problem)),
      view_reader_(device, view_shape(problem)),
      blurred_(new_padded_image(device, padded_view_shape(problem))),
      scratch_(new_padded_image(device, padded_view_shape(problem))),
      blur_(device, problem.psf, padded_view_shape(problem)),
      warped_(device.new_buffer(view_shape(problem).bytes())),
      summand_(device.new_buffer(image_.bytes())),
      weighted_(device.new_buffer(order_.size() * sizeof(float))),
      down_(device.kernel("decimate", "decimate_forward", tile_defines(device.tuning()))),
      up_(device.kernel("decimate", "decimate_adjoint", tile_defines(device.tuning()))),
      weigh_(device.kernel("sampler", "sample_weigh", "-DTAPS=2")),
      add_(device.kernel("vector", "add_plane")) {
    std::iota(order_.begin(), order_.end(), 0U);
    for (const Observation& o : problem.observations) {
        warps_.emplace_back(device, shared_, o, problem.interpolation);
        places_.push_back({problem.psf.x0 - o.x0, problem.psf.y0 - o.y0});
    }
}

void Chain::forward(PlaneReader& reader, const Memory& x, int channel, Memory& samples,
                    std::size_t offset) {
    const std::size_t low = std::size_t(low_width_) * std::size_t(low_height_);
    for (std::size_t k = 0; k < warps_.size(); ++k) {
        warps_[k].forward(reader, x, channel, warped_);
        blur_.place(places_[k].x0, places_[k].y0);
        blur_.forward(view_reader_, warped_, 0, blurred_, scratch_);
        down_(cell_grid(device_.tuning(), low_width_, low_height_), blurred_.memory,
              blurred_.shape.margin, scale_, samples, offset + k * low, low_width_, low_height_,
              blurred_.shape.stride());
    }
}

void Chain::adjoint_with(Blur& blur, const Memory& samples, std::size_t offset, Memory& x,
                         int channel) {
    const std::size_t low = std::size_t(low_width_) * std::size_t(low_height_);
    const PaddedShape& padded = blurred_.shape;
    Grid run = run_grid(device_.tuning());
    run.bytes = 3 * image_.size() * sizeof(float);
    for (std::size_t k = 0; k < warps_.size(); ++k) {
        up_(pixel_grid(device_.tuning(), padded.width(), padded.height()), samples,
            offset + k * low, padded.margin, scale_, blurred_.memory, low_width_, low_height_,
            padded.width(), padded.height(), padded.stride());
        blur.place(places_[k].x0, places_[k].y0);
        blur.adjoint(blurred_, warped_, 0, scratch_);
        warps_[k].adjoint(warped_, summand_);
        add_(run, k == 0 ? 0.0F : 1.0F, summand_, x, std::size_t(channel) * image_.size(),
             int(image_.size()) / device_.tuning().vector);
    }
}

void Chain::adjoint(const Memory& samples, std::size_t offset, Memory& x, int channel) {
    adjoint_with(blur_, samples, offset, x, channel);
}

void Chain::normal(PlaneReader& reader, const Memory& m, const Memory& p, int channel, Memory& q) {
    forward(reader, p, channel, weighted_, 0);
    weigh_(value_grid(device_.tuning(), order_.size(), order_.size() * 12), weighted_, m,
           int(order_.size()));
    adjoint_with(blur_, weighted_, 0, q, channel);
}

void Chain::normal_diagonal(const Memory& m, Memory& z) {
    Blur squared = blur_.squared();
    adjoint_with(squared, m, 0, z, 0);
    device_.finish();  // before its tables are freed
}

}  // namespace plenosr::opencl
