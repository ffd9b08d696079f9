#pragma once

#include <cstddef>
#include <string>

#include "backends/opencl/tuning.h"

namespace plenosr::opencl {

// Work-items in total and per group. Totals are rounded up to whole groups, so kernels check their
// bounds.
struct Grid {
    std::size_t width = 1;
    std::size_t height = 1;
    std::size_t depth = 1;
    std::size_t group_width = 1;
    std::size_t group_height = 1;
    std::size_t bytes = 0;  // that the launch reads and writes at least, for the profile
    // The kernel works with groups of any size; otherwise the size is compiled into it.
    bool any_group_size = false;
};

// The grid that a kernel can be launched with if it allows `allowed` work-items per group
// (CL_KERNEL_WORK_GROUP_SIZE): groups of any size are cut down to that. GroupTooLarge if the size
// is compiled into the kernel.
Grid allowed_grid(Grid grid, std::size_t allowed, const std::string& kernel,
                  const std::string& device);

// The sizes of tiles, cells and groups that access.h is compiled with.
std::string tile_defines(const Tuning& tuning);

// One group for each tile of FOR_TILE (access.h).
Grid pixel_grid(const Tuning& tuning, int width, int height);
// One group for each tile of FOR_CELLS (access.h).
Grid cell_grid(const Tuning& tuning, int width, int height);
// One work-item for each value of an array, or for each pixel of an image.
Grid value_grid(const Tuning& tuning, std::size_t values, std::size_t bytes = 0);
Grid value_grid_2d(const Tuning& tuning, int width, int height, std::size_t bytes = 0);
// Groups of a launch.
std::size_t group_count(const Grid& grid);
// GROUPS groups that share a run of values (vector.cl).
Grid run_grid(const Tuning& tuning);

}  // namespace plenosr::opencl
