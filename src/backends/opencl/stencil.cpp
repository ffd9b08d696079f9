#include "backends/opencl/stencil.h"

#include <algorithm>

namespace plenosr::opencl {
namespace {

// Coefficients are 16-bit integers in units of 1 / largest_coefficient of the largest one; the rest
// of the range is left for rounding.
constexpr float largest_coefficient = 32000.0F;
constexpr float smallest_diagonal = 1e-20F;  // avoids a unit of 0 where nothing is observed

std::size_t coefficient_bytes(const PaddedShape& padded, int taps) {
    const int radius = taps - 1;
    const int planes = radius * (2 * radius + 1) + radius + 1;
    return padded.size() * std::size_t(planes) * sizeof(cl_short);
}

std::size_t cell_groups(const Tuning& t, const PaddedShape& padded) {
    return group_count(cell_grid(t, padded.width(), padded.height()));
}

}  // namespace

MemoryPlan Stencil::memory(const Tuning& t, const PaddedShape& padded, int taps) {
    return MemoryPlan()
        .add(coefficient_bytes(padded, taps))
        .add(cell_groups(t, padded) * sizeof(float));
}

Stencil::Stencil(Device& device, const Sampler& sampler)
    : device_(device),
      padded_(sampler.padded_shape()),
      coefficients_(device.new_buffer(coefficient_bytes(padded_, sampler.taps()))),
      groups_(cell_groups(device.tuning(), padded_)),
      partial_(device.new_buffer(groups_ * sizeof(float))) {
    const Tuning& t = device.tuning();
    scratch_.bytes = std::size_t(t.local_width * t.local_height) * sizeof(float);
    const int radius = sampler.taps() - 1;
    tile_.bytes = std::size_t((t.tile_width * t.vector + 2 * radius + t.vector) *
                              (t.tile_height + 2 * radius)) *
                  sizeof(float);
    const std::string defines = fmt::format("-DTAPS={} {}", sampler.taps(), tile_defines(t));
    largest_ = device.kernel("stencil", "stencil_largest", defines);
    assemble_ = device.kernel("stencil", "stencil_assemble", defines);
    apply_ = device.kernel("stencil", "stencil_apply", defines);
}

void Stencil::assemble(const Sampler& sampler, const Memory& m) {
    Grid grid = cell_grid(device_.tuning(), padded_.width(), padded_.height());
    grid.bytes = sampler.fractions().bytes();
    largest_(grid, m, sampler.starts(), sampler.fractions(), partial_, padded_.width(),
             padded_.height(), scratch_);
    std::vector<float> largest(groups_);
    device_.read(partial_, largest.data(), groups_ * sizeof(float));
    // No coefficient exceeds the largest on the diagonal: N is positive semidefinite.
    const float most = *std::max_element(largest.begin(), largest.end());
    unit_ = std::max(most, smallest_diagonal) / largest_coefficient;
    grid.bytes = coefficients_.bytes();
    assemble_(grid, m, sampler.starts(), sampler.fractions(), coefficients_, unit_, padded_.width(),
              padded_.height(), padded_.stride());
}

void Stencil::apply(const PaddedImage& s, PaddedImage& t) {
    Grid grid = pixel_grid(device_.tuning(), padded_.width(), padded_.height());
    grid.bytes = coefficients_.bytes() + 2 * padded_.size() * sizeof(float);
    if (device_.tuning().strategy == Strategy::local)
        apply_(grid, s.memory, coefficients_, unit_, t.memory, padded_.width(), padded_.height(),
               padded_.stride(), tile_);
    else
        apply_(grid, s.memory, coefficients_, unit_, t.memory, padded_.width(), padded_.height(),
               padded_.stride());
}

}  // namespace plenosr::opencl
