#include "backends/cpu/periodic.h"

namespace plenosr::cpu {

Periodic::Periodic(const PeriodicNormal& normal, const Sampler& sampler,
                   Interpolation interpolation)
    : period_(normal.period),
      interior_(interior_on_frame(normal, sampler.frame_shape().width(),
                                  sampler.frame_shape().height(), sampler.frame_shape().margin)),
      rows_(periodic_rows(normal, interior_, sampler.frame_shape().margin,
                          normal.period * periodic_lanes)) {
    const FrameShape& frame = sampler.frame_shape();
    const int margin = frame.margin;
    const int taps = normal.taps;
    std::vector<Position> positions;
    const int before = taps / 2 - 1;
    for (int y = 0; y < frame.height(); ++y)
        for (std::uint32_t i = sampler.starts()[std::size_t(y)];
             i < sampler.starts()[std::size_t(y) + 1]; ++i) {
            const Sample& s = sampler.samples()[i];
            if (interior_.contains({s.x, y, taps, taps})) continue;
            positions.push_back({s.x - margin + before, y - margin + before, s.fx, s.fy});
            of_border_.push_back(i);
        }
    border_ = std::make_unique<Sampler>(frame, interpolation, positions, period_);
    const std::vector<std::uint32_t> given = of_border_;
    for (std::size_t i = 0; i < given.size(); ++i)
        of_border_[i] = given[border_->order()[i]];
    weights_.resize(given.size());
}

void Periodic::set_weights(const float* m) {
    for (std::size_t i = 0; i < weights_.size(); ++i)
        weights_[i] = m[of_border_[i]];
}

void Periodic::apply(const Frame& in, Frame& out, const Parallel& parallel) const {
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
    return border_->bytes() + of_border_.size() * sizeof(std::uint32_t) +
           (rows_.patterns.size() + weights_.size()) * sizeof(float);
}

}  // namespace plenosr::cpu
