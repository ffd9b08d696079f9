#pragma once

#include <fmt/format.h>

#include "backends/opencl/device.h"
#include "backends/opencl/memory_layout.h"
#include "backends/opencl/memory_plan.h"

namespace plenosr::opencl {

// Values on the device: `rows` rows of `width` values, `stride` apart, with zeros between. An image
// of the solver, one plane, a field of directions, or samples.
struct Vector {
    Memory memory;
    int rows = 0;
    int width = 0;
    int stride = 0;
    std::size_t size() const { return std::size_t(rows) * std::size_t(stride); }
};

// A padded image (memory_layout.h): an Image2D for the image strategy, else a buffer.
struct PaddedImage {
    Memory memory;
    PaddedShape shape;
};

inline PaddedImage new_padded_image(Device& device, PaddedShape shape) {
    return {device.tuning().strategy == Strategy::image
                ? device.new_image(shape.stride(), shape.rows())
                : device.new_buffer(shape.bytes()),
            shape};
}

// The plane of one channel as the kernels' IMAGE_IN: for the image strategy a copy in an Image2D.
class PlaneReader {
public:
    PlaneReader(Device& device, PlaneShape shape) : device_(device), shape_(shape) {
        if (device.tuning().strategy == Strategy::image)
            image_ = device.new_image(shape.stride(), shape.height);
    }
    static MemoryPlan memory(const Tuning& tuning, PlaneShape shape) {
        return MemoryPlan().add(shape.bytes(), tuning.strategy == Strategy::image ? 1 : 0);
    }
    struct Source {
        const Memory& image;
        int row_offset;  // of the channel's first row in the image
    };
    Source operator()(const Memory& planes, int channel) {
        if (device_.tuning().strategy != Strategy::image) return {planes, channel * shape_.height};
        device_.copy_to_image(planes, std::size_t(channel) * shape_.size(), image_, shape_.stride(),
                              shape_.height);
        return {image_, 0};
    }

private:
    Device& device_;
    PlaneShape shape_;
    Memory image_;
};

}  // namespace plenosr::opencl
