#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/devices.h"

namespace plenosr::opencl {

// Where kernels read neighbourhoods from: plain buffers, Image2D objects (texture cache), or tiles
// staged in local memory.
enum class Strategy { buffer, image, local };

const char* to_string(Strategy strategy);
std::optional<Strategy> parse_strategy(const std::string& name);

// The parameters that kernels are compiled and launched with on one device: the defaults
// (default_tuning) or the result of `plenosr tune`.
struct Tuning {
    Strategy strategy = Strategy::local;
    int vector = 1;    // floats along x per work-item: 1 suits GPUs, 8 CPUs
    int group = 128;   // work-items per group of the kernels on runs of values
    int groups = 256;  // groups of those kernels; also the partial sums of a reduction
    // Tile of an image per group: in vectors and rows, or in pixels where work-items take single
    // pixels. Cells are whole vectors wide.
    int tile_width = 32;
    int tile_height = 4;
    int cell_width = 32;
    int cell_height = 4;
    // Work-items of a group, which share its tile: on GPUs one per vector, on CPUs a single one, so
    // that the loop over the tile is inside the kernel.
    int local_width = 32;
    int local_height = 4;
    bool operator==(const Tuning&) const = default;
};

// The numbers of a Tuning by name, for files and tables.
struct TuningNumber {
    const char* name;
    int Tuning::*value;
};
const std::vector<TuningNumber>& tuning_numbers();

// The defaults for the device's type, reduced to the device's limits.
Tuning default_tuning(const DeviceDescription& device);

// The tuning with no group of more than `most` work-items.
Tuning with_groups_up_to(Tuning tuning, std::size_t most);

// Whether kernels can be compiled and launched with these numbers: positive, powers of two where
// kernels need them, groups within the device's limit.
bool fits(const Tuning& tuning, const DeviceDescription& device);

// Upper bound of the local memory that the strategy `local` takes, in bytes: the larger of a tile
// with its halo and of the cells in which samples are summed.
std::size_t staged_bytes(const Tuning& tuning);

struct Usable {
    Strategy strategy = Strategy::buffer;
    std::string reason;  // why it is not the wanted one; empty if it is
};

// The wanted strategy if the device can run it on padded images of this size, otherwise `buffer`
// and the reason.
Usable usable_strategy(const Tuning& wanted, const DeviceDescription& device, int width,
                       int height);

}  // namespace plenosr::opencl
