#include "backends/opencl/periodic.h"

namespace plenosr::opencl {
namespace {

// Coefficients of a pattern: enough for the longest vector to begin at any phase.
int pattern_length(int period) {
    return period + 16;
}

// Samples within this many low-resolution pixels of a view's border belong to the border of the
// normal operator: the blur's margin and the footprint of a sample, at most. Chosen by reasoning.
constexpr std::size_t border_pixels = 8;

}  // namespace

MemoryPlan Periodic::memory(const Tuning& tuning, const PaddedShape& padded,
                            const ProblemShape& s) {
    const std::size_t period = std::size_t(s.scale);
    const std::size_t span = std::size_t(2 * Sampler::taps_of(s.interpolation) - 1);
    const std::size_t taps = period * span * span;
    const std::size_t border = std::min(
        2 * std::size_t(s.low_width + s.low_height) * border_pixels * s.views, s.samples());
    MemoryPlan plan = Sampler::memory(tuning, padded, border, true);
    return plan.add((period + 1) * sizeof(cl_int))
        .add(taps * sizeof(cl_int2))
        .add(taps * std::size_t(pattern_length(s.scale)) * sizeof(float))
        .add(border * sizeof(float));
}

Periodic::Periodic(Device& device, const PeriodicNormal& normal, PaddedShape padded,
                   Interpolation interpolation, const CellTable& cells)
    : device_(device),
      padded_(padded),
      period_(normal.period),
      length_(pattern_length(normal.period)),
      interior_(interior_on_padded_image(normal, padded.width(), padded.height(), padded.margin)) {
    const PeriodicRows rows = periodic_rows(normal, interior_, padded.margin, length_);
    const auto constants = [&](const auto& values) {
        return device.new_constants(values.data(), values.size() * sizeof(values[0]));
    };
    starts_ = constants(rows.starts);
    std::vector<cl_int2> taps;
    for (const PeriodicRows::Tap& tap : rows.taps)
        taps.push_back({{tap.dx, tap.dy}});
    taps_ = constants(taps);
    patterns_ = constants(rows.patterns);

    const int before = normal.taps / 2 - 1;
    const auto for_each = [&](const auto& fn) {
        for (int y = 0; y < padded.height(); ++y)
            for (int x = 0; x < padded.width(); ++x) {
                if (interior_.contains({x, y, normal.taps, normal.taps})) continue;
                const std::size_t cell =
                    std::size_t(y) * std::size_t(padded.width()) + std::size_t(x);
                for (cl_uint i = cells.starts[cell]; i < cells.starts[cell + 1]; ++i)
                    fn(i, Position{x - padded.margin + before, y - padded.margin + before,
                                   cells.fractions[i].s[0], cells.fractions[i].s[1]});
            }
    };
    CellTable border = sort_into_cells(padded, normal.taps, for_each);
    of_border_ = std::move(border.order);
    border_ = std::make_unique<Sampler>(device, padded, interpolation, border);
    border_->need_normal();
    apply_ = device.kernel("periodic", "periodic_apply", tile_defines(device.tuning()));
}

void Periodic::set_weights(const std::vector<float>& m) {
    std::vector<float> weights(std::max<std::size_t>(1, of_border_.size()), 0.0F);
    for (std::size_t i = 0; i < of_border_.size(); ++i)
        weights[i] = m[of_border_[i]];
    weights_ = device_.new_constants(weights.data(), weights.size() * sizeof(float));
}

void Periodic::apply(const PaddedImage& s, PaddedImage& t) {
    border_->normal(s, weights_, t);
    if (interior_.width == 0 || interior_.height == 0) return;
    Grid grid = pixel_grid(device_.tuning(), interior_.width, interior_.height);
    grid.bytes = 2 * padded_.size() * sizeof(float);
    apply_(grid, s.memory, starts_, taps_, patterns_, period_, length_, t.memory, interior_.x0,
           interior_.y0, interior_.width, interior_.height, padded_.stride());
}

}  // namespace plenosr::opencl
