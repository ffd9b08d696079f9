#include "backends/cpu/periodic.h"

namespace plenosr::cpu {
namespace {

// Low-resolution pixels along a view's border whose samples may lie outside the interior: the
// blur's margin and the taps, in low-resolution pixels, rounded up for the scales and PSFs in use.
constexpr std::size_t border_depth = 8;

std::size_t bytes_of_border(std::size_t samples) {
    return Sampler::bytes_for(samples) + Buffer<std::uint32_t>::bytes_for(samples) +
           Vector::bytes_for(samples);
}

}  // namespace

Periodic::Periodic(const PeriodicNormal& normal, const Sampler& sampler,
                   Interpolation interpolation)
    : period_(normal.period),
      interior_(interior_on_padded_image(normal, sampler.padded_shape().width(),
                                         sampler.padded_shape().height(),
                                         sampler.padded_shape().margin)),
      rows_(periodic_rows(normal, interior_, sampler.padded_shape().margin,
                          normal.period * periodic_lanes)) {
    const PaddedShape& shape = sampler.padded_shape();
    const int margin = shape.margin;
    const int taps = normal.taps;
    std::vector<Position> positions;
    std::vector<std::uint32_t> given;
    const int before = taps / 2 - 1;
    for (int y = 0; y < shape.height(); ++y)
        for (std::uint32_t i = sampler.starts()[std::size_t(y)];
             i < sampler.starts()[std::size_t(y) + 1]; ++i) {
            const Sample& s = sampler.samples()[i];
            if (interior_.contains({s.x, y, taps, taps})) continue;
            positions.push_back({s.x - margin + before, y - margin + before, s.fx, s.fy});
            given.push_back(i);
        }
    border_ = std::make_unique<Sampler>(shape, interpolation, positions, period_);
    border_index_ = Buffer<std::uint32_t>(given.size());
    for (std::size_t i = 0; i < given.size(); ++i)
        border_index_[i] = given[border_->order()[i]];
    weights_ = Vector(given.size());
}

void Periodic::set_weights(const float* m) {
    for (std::size_t i = 0; i < weights_.size(); ++i)
        weights_[i] = m[border_index_[i]];
}

void Periodic::apply(const PaddedImage& in, PaddedImage& out, const Parallel& parallel) const {
    border_->normal(in, weights_.data(), out, parallel);
    const std::int64_t stride = in.shape().stride();
    parallel.ranges(interior_.height, 32, [&](int begin, int end) {
        std::vector<PeriodicTap> row;
        for (int y = begin; y < end; ++y) {
            row.clear();
            const std::size_t phase = std::size_t(y % period_);
            for (int i = rows_.starts[phase]; i < rows_.starts[phase + 1]; ++i) {
                const PeriodicRows::Tap& tap = rows_.taps[std::size_t(i)];
                row.push_back({tap.dy * stride + tap.dx,
                               rows_.patterns.data() + i * period_ * periodic_lanes});
            }
            apply_periodic_row(row.data(), int(row.size()), period_, in.row(interior_.y0 + y),
                               out.row(interior_.y0 + y), interior_.x0, interior_.x1());
        }
    });
}

std::size_t Periodic::bytes() const {
    return bytes_of_border(weights_.size()) + rows_.patterns.size() * sizeof(float);
}

std::size_t Periodic::bytes_for(const ProblemShape& shape) {
    const std::size_t along =
        2 * std::size_t(shape.low_width + shape.low_height) * border_depth * shape.views;
    return bytes_of_border(std::min(along, shape.samples()));
}

}  // namespace plenosr::cpu
