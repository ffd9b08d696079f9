#include "backends/opencl/weights.h"

#include "backends/opencl/differences.h"
#include "psf/psf_factors.h"

namespace plenosr::opencl {
namespace {

// G_1, the Gaussian that smooths the luma before its gradient is taken.
Psf smoothing() {
    return gaussian_psf(1.0);
}

}  // namespace

MemoryPlan Weights::memory(PaddedShape padded, int channels, bool adaptive) {
    MemoryPlan plan;
    if (!adaptive) return plan;
    return plan.add(padded.image.bytes(), channels == 3 ? 2 : 1)
        .add(Blur::memory(psf_radius(smoothing()), 0, padded.margin, true));
}

Weights::Weights(Device& device, const WeightsDesc& desc, const std::vector<Direction>& directions,
                 PaddedShape padded, int channels)
    : device_(device),
      padded_(padded),
      channels_(channels),
      adaptive_(desc.adaptive),
      floor_(desc.floor),
      // A central difference is twice the gradient.
      scale_((desc.patch ? -1.0F : -0.25F) / (desc.gradient * desc.gradient)),
      patches_(desc.patch.has_value()),
      noise_(desc.noise),
      mean_(desc.mean),
      has_occlusion_(!desc.occlusion.empty()) {
    const auto kernel = [&](const char* name) {
        return device.kernel("weights", name, tile_defines(device.tuning()));
    };
    uniform_kernel_ = kernel("uniform_weights");
    if (!adaptive_) return;
    const PlaneShape& image = padded.image;
    occlusion_ = device.new_buffer(has_occlusion_ ? image.bytes() : 0);
    if (has_occlusion_)
        device.write_rows(occlusion_, desc.occlusion.data(), image.width, image.height,
                          image.stride());
    if (channels == 3) luma_ = device.new_buffer(image.bytes());
    blur_ = std::make_unique<Blur>(device, smoothing(), padded);
    luma_kernel_ = kernel("luma_plane");
    edge_kernel_ = kernel("edge_weights");
    if (!patches_) return;
    const PatchDesc& patch = *desc.patch;
    if (patch.range > 0.0F) range_scale_ = -1.0F / (patch.range * patch.range);
    patch_kernel_ = device.kernel(
        "weights", "patch_weights",
        fmt::format("{} -DPATCH={}{} {}", direction_defines(directions), patch.radius,
                    patch.range > 0.0F ? " -DBILATERAL" : "", tile_defines(device.tuning())));
}

void Weights::compute(PlaneReader& reader, const Memory& x, PaddedImage& smooth,
                      PaddedImage& scratch, Memory& e) {
    const PlaneShape& image = padded_.image;
    Grid grid = pixel_grid(device_.tuning(), image.width, image.height);
    grid.bytes = 3 * image.size() * sizeof(float);
    if (!adaptive_) {
        uniform_kernel_(grid, e, image.width, image.height, image.stride());
        return;
    }
    if (channels_ == 3) {
        const std::size_t vectors = image.size() / std::size_t(device_.tuning().vector);
        luma_kernel_(value_grid(device_.tuning(), vectors, 4 * image.size() * sizeof(float)), x,
                     luma_, int(image.size()));
    }
    blur_->forward(reader, channels_ == 3 ? luma_ : x, 0, smooth, scratch);
    if (patches_) {
        patch_kernel_(cell_grid(device_.tuning(), image.width, image.height), smooth.memory,
                      padded_.margin, floor_, scale_, mean_, range_scale_, noise_.level,
                      noise_.floor, noise_.gain, e, image.width, image.height, image.stride(),
                      padded_.stride());
        return;
    }
    edge_kernel_(grid, smooth.memory, padded_.margin, floor_, scale_, mean_, noise_.level,
                 noise_.floor, noise_.gain, occlusion_, has_occlusion_ ? 1 : 0, e, image.width,
                 image.height, image.stride(), padded_.stride());
}

}  // namespace plenosr::opencl
