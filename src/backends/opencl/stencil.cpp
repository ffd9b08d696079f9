#include "backends/opencl/stencil.h"

#include <algorithm>

namespace plenosr::opencl {
namespace {

std::string stencil_defines(const Tuning& t, int taps, bool f32) {
    return fmt::format("-DTAPS={}{} {}", taps, f32 ? " -DCOEFFICIENT_F32" : "", tile_defines(t));
}

}  // namespace

std::size_t Stencil::bytes_for(const PaddedShape& padded, int taps, bool f32) {
    const int radius = taps - 1;
    const int planes = radius * (2 * radius + 1) + radius + 1;
    return padded.size() * std::size_t(planes) * (f32 ? sizeof(float) : sizeof(cl_short));
}

Stencil::Stencil(Device& device, const Sampler& sampler, bool f32)
    : device_(device),
      padded_(sampler.padded_shape()),
      f32_(f32),
      coefficients_(device.new_buffer(bytes_for(padded_, sampler.taps(), f32))) {
    const Tuning& t = device.tuning();
    const Grid cells = cell_grid(t, padded_.width(), padded_.height());
    groups_ = cells.width / cells.group_width * (cells.height / cells.group_height);
    partial_ = device.new_buffer(groups_ * sizeof(float));
    scratch_.bytes = cells.group_width * cells.group_height * sizeof(float);
    const int radius = sampler.taps() - 1;
    tile_.bytes = std::size_t((t.tile_width * t.vector + 2 * radius + t.vector) *
                              (t.tile_height + 2 * radius)) *
                  sizeof(float);
    const std::string defines = stencil_defines(t, sampler.taps(), f32);
    largest_ = device.kernel("stencil", "stencil_largest", defines);
    assemble_ = device.kernel("stencil", "stencil_assemble", defines);
    apply_ = device.kernel("stencil", "stencil_apply", defines);
}

void Stencil::assemble(const Sampler& sampler, const Memory& m) {
    unit_ = 1;
    if (!f32_) {
        Grid cells = cell_grid(device_.tuning(), padded_.width(), padded_.height());
        cells.bytes = sampler.fractions().bytes();
        largest_(cells, m, sampler.starts(), sampler.fractions(), partial_, padded_.width(),
                 padded_.height(), scratch_);
        std::vector<float> largest(groups_);
        device_.read(partial_, largest.data(), groups_ * sizeof(float));
        // No coefficient exceeds the largest on the diagonal: N is positive semidefinite.
        const float most = *std::max_element(largest.begin(), largest.end());
        unit_ = std::max(most, 1e-20F) / 32000.0F;
    }
    Grid grid = cell_grid(device_.tuning(), padded_.width(), padded_.height());
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
