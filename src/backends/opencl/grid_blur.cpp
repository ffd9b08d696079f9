#include "backends/opencl/grid_blur.h"

#include "psf/psf_factors.h"

namespace plenosr::opencl {
namespace {

Memory upload(Device& device, const PsfGrid& psf, int radius_x, int radius_y) {
    const int w = 2 * radius_x + 1;
    const int h = 2 * radius_y + 1;
    std::vector<float> taps;
    taps.reserve(psf.nodes.size() * std::size_t(w) * std::size_t(h));
    for (const Psf& node : psf.nodes) {
        const Image& k = node.kernel;
        const int left = radius_x - k.width / 2;
        const int top = radius_y - k.height / 2;
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                const bool inside =
                    x >= left && x < left + k.width && y >= top && y < top + k.height;
                taps.push_back(inside ? k.at(y - top, x - left) : 0.0F);
            }
    }
    return device.new_constants(taps.data(), taps.size() * sizeof(float));
}

float per_pixel(double step) {
    return step > 0 ? float(1 / step) : 0.0F;
}

}  // namespace

GridOnDevice::GridOnDevice(Device& device, const PsfGrid& psf, int radius_x, int radius_y)
    : memory(upload(device, psf, radius_x, radius_y)),
      per_x(per_pixel(psf.step_x)),
      per_y(per_pixel(psf.step_y)) {}

GridBlur::GridBlur(Device& device, const PsfGrid& psf, PaddedShape shape)
    : device_(device),
      psf_(psf),
      shape_(shape),
      grid_(device, psf, psf_radius(psf), psf_radius(psf)),
      x0_(float(psf.x0)),
      y0_(float(psf.y0)) {
    const std::string defines = fmt::format("-DRADIUS={} -DMARGIN={} {}", psf_radius(psf),
                                            shape_.margin, tile_defines(device_.tuning()));
    forward_ = device_.kernel("grid_blur", "grid_blur_forward", defines);
    adjoint_ = device_.kernel("grid_blur", "grid_blur_adjoint", defines);
}

GridBlur GridBlur::squared() const {
    PsfGrid squares = psf_;
    for (Psf& node : squares.nodes)
        for (float& tap : node.kernel.values)
            tap *= tap;
    return {device_, squares, shape_};
}

void GridBlur::forward(PlaneReader& reader, const Memory& x, int channel, PaddedImage& t) {
    const auto [width, height] = shape_.image;
    Grid whole = pixel_grid(device_.tuning(), shape_.width(), shape_.height());
    whole.bytes = (shape_.image.size() + shape_.size()) * sizeof(float);
    const auto source = reader(x, channel);
    forward_(whole, source.image, t.memory, grid_.memory, psf_.rows, psf_.cols, x0_, y0_,
             grid_.per_x, grid_.per_y, width, height, shape_.image.stride(), source.row_offset,
             shape_.stride());
}

void GridBlur::adjoint(const PaddedImage& t, Memory& x, int channel) {
    const auto [width, height] = shape_.image;
    Grid image = pixel_grid(device_.tuning(), width, height);
    image.bytes = (shape_.image.size() + shape_.size()) * sizeof(float);
    adjoint_(image, t.memory, x, std::size_t(channel) * shape_.image.size(), grid_.memory,
             psf_.rows, psf_.cols, x0_, y0_, grid_.per_x, grid_.per_y, width, height,
             shape_.image.stride(), shape_.stride());
}

}  // namespace plenosr::opencl
