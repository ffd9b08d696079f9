#pragma once

#include <fmt/format.h>

#include "backends/opencl/device.h"
#include "backends/opencl/shapes.h"

namespace plenosr::opencl {

// A run of values on the device: `rows` rows of `width` values, `stride` apart, zeros between. An
// image of the solver, one plane, a field of directions, or samples.
struct Vector {
    Memory memory;
    int rows = 0;
    int width = 0;
    int stride = 0;
    std::size_t size() const { return std::size_t(rows) * std::size_t(stride); }
};

// A frame (shapes.h): an Image2D for the image strategy, else a buffer.
struct Frame {
    Memory memory;
    FrameShape shape;
};

inline Frame new_frame(Device& device, FrameShape shape) {
    return {device.tuning().strategy == Strategy::image
                ? device.new_image(shape.stride(), shape.rows())
                : device.new_buffer(shape.size() * sizeof(float)),
            shape};
}

inline std::string tile_defines(const Tuning& t) {
    return fmt::format("-DTILE_W={} -DTILE_H={} -DCELL_W={} -DCELL_H={} -DLOCAL_W={} -DLOCAL_H={}",
                       t.tile_width, t.tile_height, t.cell_width, t.cell_height, t.local_width,
                       t.local_height);
}

// One group per tile of `tile_width` x `tile_height` pixels.
inline Grid tiled_grid(const Tuning& t, int width, int height, int tile_width, int tile_height) {
    return {std::size_t((width + tile_width - 1) / tile_width * t.local_width),
            std::size_t((height + tile_height - 1) / tile_height * t.local_height), 1,
            std::size_t(t.local_width), std::size_t(t.local_height)};
}

// FOR_TILE of access.h
inline Grid pixel_grid(const Tuning& t, int width, int height) {
    return tiled_grid(t, width, height, t.tile_width * t.vector, t.tile_height);
}

// FOR_CELLS of access.h
inline Grid cell_grid(const Tuning& t, int width, int height) {
    return tiled_grid(t, width, height, t.cell_width, t.cell_height);
}

// One work-item per value.
inline Grid value_grid(const Tuning& t, std::size_t values) {
    const std::size_t group = t.group > 1 ? std::size_t(t.group) : 64;
    return {values, 1, 1, group, 1};
}

// Runs of values: GROUPS groups share them (vector.cl).
inline Grid run_grid(const Tuning& t) {
    return {std::size_t(t.groups) * std::size_t(t.group), 1, 1, std::size_t(t.group), 1};
}

// The plane of one channel as the kernels' FIELD: for the image strategy a copy in an Image2D.
class PlaneReader {
public:
    PlaneReader(Device& device, PlaneShape shape) : device_(device), shape_(shape) {
        if (device.tuning().strategy == Strategy::image)
            image_ = device.new_image(shape.stride(), shape.height);
    }
    struct Source {
        const Memory& field;
        int row_offset;  // of the channel's first row in the field
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
