// Device's transfers between the host and its memory, and inside its memory.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "backends/opencl/device.h"

namespace plenosr::opencl {
namespace {

constexpr std::size_t quad =
    sizeof(cl_float4);  // sizes and offsets in buffers are multiples of this

// Rows that are contiguous on the host and `stride` floats apart on the device.
struct Rows {
    std::size_t device_origin[3];
    std::size_t host_origin[3] = {0, 0, 0};
    std::size_t region[3];
    std::size_t device_pitch;
    std::size_t host_pitch;
    Rows(int width, int height, int stride, std::size_t offset)
        : device_origin{offset % std::size_t(stride) * sizeof(float), offset / std::size_t(stride),
                        0},
          region{std::size_t(width) * sizeof(float), std::size_t(height), 1},
          device_pitch(std::size_t(stride) * sizeof(float)),
          host_pitch(std::size_t(width) * sizeof(float)) {}
    std::size_t bytes() const { return region[0] * region[1]; }
};

}  // namespace

// call(event) enqueues a transfer, which the profile lists as `what`.
void Device::transfer(const char* what, std::size_t bytes, Stage stage, auto&& call) {
    if (bytes == 0) return;
    attempt(
        name_,
        [&] {
            if (stage == Stage::waiting) fail_wait_if_injected();
            check(call(profiler_.next(what, bytes)), what);
        },
        [&] { return fmt::format("{} {} bytes", what, bytes); }, stage);
}

void Device::write(Memory& to, const void* values, std::size_t bytes, std::size_t offset) {
    transfer("writing", bytes, Stage::submitting, [&](cl_event* event) {
        return clEnqueueWriteBuffer(queue_(), to.handle(), CL_TRUE, offset, bytes, values, 0,
                                    nullptr, event);
    });
}

void Device::read(const Memory& from, void* values, std::size_t bytes, std::size_t offset) {
    transfer("reading", bytes, Stage::waiting, [&](cl_event* event) {
        return clEnqueueReadBuffer(queue_(), from.handle(), CL_TRUE, offset, bytes, values, 0,
                                   nullptr, event);
    });
}

void Device::write_rows(Memory& to, const float* values, int width, int height, int stride,
                        std::size_t offset) {
    if (stride == width)
        return write(to, values, std::size_t(width) * std::size_t(height) * sizeof(float),
                     offset * sizeof(float));
    // Rows are sent with their padding, in one piece; the padding is zero on the device already.
    std::vector<float> padded(std::size_t(stride) * std::size_t(height), 0.0F);
    for (int y = 0; y < height; ++y)
        std::copy_n(values + std::ptrdiff_t(y) * width, width,
                    padded.data() + std::ptrdiff_t(y) * stride);
    write(to, padded.data(), padded.size() * sizeof(float), offset * sizeof(float));
}

void Device::read_rows(const Memory& from, float* values, int width, int height, int stride,
                       std::size_t offset) {
    const Rows r(width, height, stride, offset);
    transfer("reading", r.bytes(), Stage::waiting, [&](cl_event* event) {
        return clEnqueueReadBufferRect(queue_(), from.handle(), CL_TRUE, r.device_origin,
                                       r.host_origin, r.region, r.device_pitch, 0, r.host_pitch, 0,
                                       values, 0, nullptr, event);
    });
}

Kernel& Device::copy_kernel(const std::string& name) {
    const auto it = copy_kernels_.find(name);
    return it != copy_kernels_.end() ? it->second : copy_kernels_[name] = kernel("copy", name);
}

void Device::copy_quads(const Memory& from, std::size_t from_byte, Memory& to, std::size_t to_byte,
                        std::size_t bytes) {
    const std::size_t quads = bytes / quad;
    copy_kernel("copy_part")(value_grid(tuning_, quads, 2 * bytes), from, from_byte / quad, to,
                             to_byte / quad, int(quads));
}

void Device::copy(const Memory& from, Memory& to, std::size_t bytes) {
    copy_quads(from, 0, to, 0, bytes);
}

void Device::copy_within(Memory& memory, std::size_t from, std::size_t to, std::size_t bytes) {
    copy_quads(memory, from, memory, to, bytes);
}

void Device::copy_to_image(const Memory& buffer, std::size_t offset, Memory& image, int width,
                           int height) {
    copy_kernel("copy_to_image")(value_grid_2d(tuning_, width, height, 2 * image.bytes()), buffer,
                                 offset, image, width, height);
}

void Device::fill_zero(Memory& buffer) {
    const std::size_t quads = buffer.bytes() / quad;
    copy_kernel("fill_zero")(value_grid(tuning_, quads, buffer.bytes()), buffer, int(quads));
}

}  // namespace plenosr::opencl
