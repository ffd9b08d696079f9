#pragma once

namespace plenosr::opencl {

// Where neighbourhoods are read from: plain buffers, Image2D objects (texture cache), or tiles
// staged in local memory.
enum class Strategy { buffer, image, local };

// What kernels are compiled and launched with on one device: data, from the table of defaults
// (default_tuning) or from what `plenosr tune` stored.
struct Tuning {
    Strategy strategy = Strategy::local;
    int vector = 1;        // floats along x per work-item: 1 suits GPUs, 8 CPUs
    int group = 128;       // work-items per group of the kernels on runs of values
    int groups = 256;      // groups of those kernels; also the partial sums of a reduction
    int tile_width = 32;   // work-items per group along x of the kernels on images
    int tile_height = 4;   // … and along y
    int cell_width = 32;   // pixels per group of the kernels that scatter samples
    int cell_height = 4;
    bool operator==(const Tuning&) const = default;
};

}  // namespace plenosr::opencl
