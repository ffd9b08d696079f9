// What Device moves between the host and its memory, and inside it.

#include <fmt/format.h>

#include "backends/opencl/device.h"

namespace plenosr::opencl {
namespace {

// Rows that lie tight on the host and `stride` floats apart on the device.
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

// call(event) enqueues; the profile knows it as `what`.
void Device::transfer(const char* what, std::size_t bytes, Stage stage, auto&& call) {
    if (bytes == 0) return;
    attempt(
        name_,
        [&] {
            if (stage == Stage::waiting) strike_wait();
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
    const Rows r(width, height, stride, offset);
    transfer("writing", r.bytes(), Stage::submitting, [&](cl_event* event) {
        return clEnqueueWriteBufferRect(queue_(), to.handle(), CL_TRUE, r.device_origin,
                                        r.host_origin, r.region, r.device_pitch, 0, r.host_pitch, 0,
                                        values, 0, nullptr, event);
    });
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

void Device::copy(const Memory& from, Memory& to, std::size_t bytes) {
    transfer("copying", 2 * bytes, Stage::submitting, [&](cl_event* event) {
        return clEnqueueCopyBuffer(queue_(), from.handle(), to.handle(), 0, 0, bytes, 0, nullptr,
                                   event);
    });
}

void Device::copy_within(Memory& memory, std::size_t from, std::size_t to, std::size_t bytes) {
    transfer("copying", 2 * bytes, Stage::submitting, [&](cl_event* event) {
        return clEnqueueCopyBuffer(queue_(), memory.handle(), memory.handle(), from, to, bytes, 0,
                                   nullptr, event);
    });
}

void Device::copy_to_image(const Memory& buffer, std::size_t offset, Memory& image, int width,
                           int height) {
    const std::size_t origin[3] = {0, 0, 0};
    const std::size_t region[3] = {std::size_t(width), std::size_t(height), 1};
    transfer("copying to an image", 2 * region[0] * region[1] * sizeof(float), Stage::submitting,
             [&](cl_event* event) {
                 return clEnqueueCopyBufferToImage(queue_(), buffer.handle(), image.handle(),
                                                   offset * sizeof(float), origin, region, 0,
                                                   nullptr, event);
             });
}

void Device::fill_zero(Memory& buffer) {
    transfer("filling", buffer.bytes(), Stage::submitting, [&](cl_event* event) {
        const cl_uchar zero = 0;
        return clEnqueueFillBuffer(queue_(), buffer.handle(), &zero, 1, 0, buffer.bytes(), 0,
                                   nullptr, event);
    });
}

}  // namespace plenosr::opencl
