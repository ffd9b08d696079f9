#include "backends/opencl/sampler.h"

namespace plenosr::opencl {

Sampler::Sampler(Device& device, PaddedShape padded, Interpolation interpolation,
                 const CellTable& cells)
    : device_(device),
      padded_(padded),
      taps_(taps_of(interpolation)),
      count_(int(cells.fractions.size())),
      starts_(device.new_constants(cells.starts.data(), cells.starts.size() * sizeof(cl_uint))),
      fractions_(device.new_constants(cells.fractions.data(),
                                      cells.fractions.size() * sizeof(cl_float2))) {
    const Tuning& t = device.tuning();
    const std::string defines = fmt::format("-DTAPS={} {}", taps_, tile_defines(t));
    forward_ = device.kernel("sampler", "sample_forward", defines);
    adjoint_ = device.kernel("sampler", "sample_adjoint", defines);
    if (t.strategy == Strategy::local)
        normal_ = device.kernel("sampler", "sample_normal", defines);
    else
        weigh_ = device.kernel("sampler", "sample_weigh", defines);
}

MemoryPlan Sampler::memory(const Tuning& tuning, const PaddedShape& padded, std::size_t count,
                           bool normal) {
    MemoryPlan plan;
    plan.add(starts_of_cells(padded) * sizeof(cl_uint)).add(count * sizeof(cl_float2));
    if (normal && tuning.strategy != Strategy::local) plan.add(count * sizeof(float));
    return plan;
}

void Sampler::need_normal() {
    if (device_.tuning().strategy != Strategy::local)
        weighted_ = device_.new_buffer(std::size_t(count_) * sizeof(float));
}

void Sampler::forward(const PaddedImage& t, Memory& samples, std::size_t offset) {
    Grid grid = cell_grid(device_.tuning(), padded_.width(), padded_.height());
    grid.bytes = padded_.size() * sizeof(float) + starts_.bytes() + fractions_.bytes() * 3 / 2;
    forward_(grid, t.memory, starts_, fractions_, samples, offset, padded_.width(),
             padded_.height(), padded_.stride());
}

Grid Sampler::scatter_grid() const {
    const Tuning& t = device_.tuning();
    Grid grid = t.strategy == Strategy::local ? cell_grid(t, padded_.width(), padded_.height())
                                              : pixel_grid(t, padded_.width(), padded_.height());
    grid.bytes = padded_.size() * sizeof(float) + starts_.bytes() + fractions_.bytes() * 3 / 2;
    return grid;
}

LocalMemory Sampler::cell_memory() const {
    const Tuning& t = device_.tuning();
    const int stride = t.cell_width + taps_ - 1 + t.vector;
    return {std::size_t(stride * (t.cell_height + taps_ - 1) * taps_ * taps_) * sizeof(float)};
}

void Sampler::adjoint(const Memory& samples, std::size_t offset, PaddedImage& t) {
    if (device_.tuning().strategy == Strategy::local)
        adjoint_(scatter_grid(), samples, offset, starts_, fractions_, t.memory, padded_.width(),
                 padded_.height(), padded_.stride(), cell_memory());
    else
        adjoint_(scatter_grid(), samples, offset, starts_, fractions_, t.memory, padded_.width(),
                 padded_.height(), padded_.stride());
}

void Sampler::normal(const PaddedImage& s, const Memory& m, PaddedImage& t) {
    if (device_.tuning().strategy == Strategy::local) {
        normal_(scatter_grid(), s.memory, m, starts_, fractions_, t.memory, padded_.width(),
                padded_.height(), padded_.stride(), cell_memory());
        return;
    }
    forward(s, weighted_, 0);
    const std::size_t count = std::size_t(count_);
    if (count > 0)
        weigh_(value_grid(device_.tuning(), count, 3 * count * sizeof(float)), weighted_, m,
               count_);
    adjoint(weighted_, 0, t);
}

}  // namespace plenosr::opencl
