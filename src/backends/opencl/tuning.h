#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/devices.h"

namespace plenosr::opencl {

// Where neighbourhoods are read from: plain buffers, Image2D objects (texture cache), or tiles
// staged in local memory.
enum class Strategy { buffer, image, local };

const char* to_string(Strategy strategy);
std::optional<Strategy> parse_strategy(const std::string& name);

// What kernels are compiled and launched with on one device: data, from the table of defaults
// (default_tuning) or from what `plenosr tune` stored.
struct Tuning {
    Strategy strategy = Strategy::local;
    int vector = 1;       // floats along x per work-item: 1 suits GPUs, 8 CPUs
    int group = 128;      // work-items per group of the kernels on runs of values
    int groups = 256;     // groups of those kernels; also the partial sums of a reduction
    int tile_width = 32;  // what a group takes of an image: vectors along x …
    int tile_height = 4;  // … and rows
    int cell_width = 32;  // … in pixels, where work-items take single ones; whole vectors
    int cell_height = 4;
    int local_width =
        32;  // work-items of a group, which share its tile: on GPUs one per vector, on
    int local_height = 4;  // CPUs one in all, so that the loop over the tile is the kernel's own
    bool operator==(const Tuning&) const = default;
};

// The numbers of a Tuning by name, for files and tables.
struct TuningNumber {
    const char* name;
    int Tuning::*value;
};
const std::vector<TuningNumber>& tuning_numbers();

// The table of defaults by the device's type, cut down to the device's limits.
Tuning default_tuning(const DeviceDescription& device);

// The tuning with no group of more than `most` work-items.
Tuning with_groups_up_to(Tuning tuning, std::size_t most);

// Numbers that can be compiled and launched at all: positive, powers of two where kernels need
// them, groups within the device's limit.
bool fits(const Tuning& tuning, const DeviceDescription& device);

// Bytes of local memory that the strategy `local` takes: the larger of a tile with what is read
// around it and of the cells that samples are added up in, at the widest of each.
std::size_t staged_bytes(const Tuning& tuning);

struct Usable {
    Strategy strategy = Strategy::buffer;
    std::string reason;  // why it is not the one that was wanted; empty if it is
};

// The wanted strategy if the device can run it on padded images of this size, else `buffer`, and
// why.
Usable usable_strategy(const Tuning& wanted, const DeviceDescription& device, int width,
                       int height);

}  // namespace plenosr::opencl
