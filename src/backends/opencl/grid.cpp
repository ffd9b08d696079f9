#include "backends/opencl/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/opencl/errors.h"

namespace plenosr::opencl {
namespace {

// Work-items per group where each takes one value and the tuning's groups have one work-item
// (CPUs): enough for the driver to make vectors of them. Chosen by reasoning, not tuned.
constexpr std::size_t value_group_on_cpus = 64;

std::size_t value_group(const Tuning& t) {
    return t.group > 1 ? std::size_t(t.group) : value_group_on_cpus;
}

Grid tiled_grid(const Tuning& t, int width, int height, int tile_width, int tile_height) {
    return {std::size_t((width + tile_width - 1) / tile_width * t.local_width),
            std::size_t((height + tile_height - 1) / tile_height * t.local_height), 1,
            std::size_t(t.local_width), std::size_t(t.local_height)};
}

}  // namespace

Grid allowed_grid(Grid grid, std::size_t allowed, const std::string& kernel,
                  const std::string& device) {
    const std::size_t wanted = grid.group_width * grid.group_height;
    if (wanted <= allowed) return grid;
    if (!grid.any_group_size || allowed == 0) throw GroupTooLarge(device, kernel, wanted, allowed);
    grid.group_width = std::bit_floor(std::min(grid.group_width, allowed));
    grid.group_height = std::bit_floor(std::min(grid.group_height, allowed / grid.group_width));
    return grid;
}

std::string tile_defines(const Tuning& t) {
    return fmt::format("-DTILE_W={} -DTILE_H={} -DCELL_W={} -DCELL_H={} -DLOCAL_W={} -DLOCAL_H={}",
                       t.tile_width, t.tile_height, t.cell_width, t.cell_height, t.local_width,
                       t.local_height);
}

Grid pixel_grid(const Tuning& t, int width, int height) {
    return tiled_grid(t, width, height, t.tile_width * t.vector, t.tile_height);
}

Grid cell_grid(const Tuning& t, int width, int height) {
    return tiled_grid(t, width, height, t.cell_width, t.cell_height);
}

Grid value_grid(const Tuning& t, std::size_t values, std::size_t bytes) {
    return {values, 1, 1, value_group(t), 1, bytes, true};
}

Grid value_grid_2d(const Tuning& t, int width, int height, std::size_t bytes) {
    return {std::size_t(width), std::size_t(height), 1, value_group(t), 1, bytes, true};
}

std::size_t group_count(const Grid& grid) {
    return grid.width / grid.group_width * (grid.height / grid.group_height);
}

Grid run_grid(const Tuning& t) {
    return {std::size_t(t.groups) * std::size_t(t.group), 1, 1, std::size_t(t.group), 1};
}

}  // namespace plenosr::opencl
