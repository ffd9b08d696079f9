#include "backends/opencl/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace plenosr::opencl {
namespace {

// Limits of the kernels.
constexpr int widest_halo = 6;  // pixels around a staged tile: second differences over 3 pixels
constexpr int widest_taps = 4;  // of the interpolation, along one axis
constexpr int widest_vector = 16;

// Defaults: {strategy, vector, group, groups, tile, cell, local sizes}. That CPUs take `local` was
// measured on PoCL (docs/performance.md, "OpenCL": `buffer` takes 1.7 to 2.2 times as long, `image`
// 40 times). The sizes are chosen by reasoning: whole wavefronts of 32 or 64 on GPUs, tiles of a
// CPU that fit into its second-level cache. `plenosr tune` finds better ones for a device.
constexpr Tuning gpu_defaults{Strategy::local, 1, 128, 256, 32, 4, 32, 4, 32, 4};
constexpr Tuning cpu_defaults{Strategy::local, 8, 1, 64, 64, 16, 128, 16, 1, 1};

int at_most(int value, std::size_t limit) {
    return int(std::min<std::size_t>(std::size_t(value), std::max<std::size_t>(limit, 1)));
}

int power_of_two_below(unsigned value) {
    return int(std::bit_floor(std::max(value, 1U)));
}

}  // namespace

const char* to_string(Strategy strategy) {
    switch (strategy) {
        case Strategy::buffer:
            return "buffer";
        case Strategy::image:
            return "image";
        case Strategy::local:
            break;
    }
    return "local";
}

Tuning default_tuning(const DeviceDescription& d) {
    Tuning t;
    if (d.type == DeviceType::gpu || d.type == DeviceType::accelerator) {
        t = gpu_defaults;
    } else {
        // With one work-item per group, the kernel makes the vectors and the driver the threads.
        t = cpu_defaults;
        t.vector = std::clamp(power_of_two_below(d.vector_width), 4, cpu_defaults.vector);
    }
    t = with_groups_up_to(t, d.work_group_limit);
    // The user may ask for `local` even if another strategy is the default. Cells are whole
    // vectors.
    while (staged_bytes(t) > d.local_memory) {
        const Tuning before = t;
        t.tile_height = std::max(1, t.tile_height / 2);
        t.cell_height = std::max(1, t.cell_height / 2);
        if (staged_bytes(t) <= d.local_memory) break;
        t.tile_width = std::max(1, t.tile_width / 2);
        t.cell_width = std::max(t.vector, t.cell_width / 2);
        if (t == before) break;  // no tile is small enough: usable_strategy() falls back
    }
    return t;
}

Tuning with_groups_up_to(Tuning t, std::size_t most) {
    t.group = at_most(t.group, std::bit_floor(most));
    t.local_width = at_most(t.local_width, std::bit_floor(most));
    t.local_height = at_most(t.local_height, most / std::size_t(t.local_width));
    return t;
}

bool fits(const Tuning& t, const DeviceDescription& d) {
    const auto within = [](int value, std::size_t limit) {
        return value >= 1 && std::size_t(value) <= limit;
    };
    constexpr std::size_t most = 1 << 16;
    return within(t.vector, widest_vector) && std::has_single_bit(unsigned(t.vector)) &&
           within(t.group, d.work_group_limit) && std::has_single_bit(unsigned(t.group)) &&
           within(t.groups, most) && within(t.tile_width, most) && within(t.tile_height, most) &&
           within(t.local_width, most) && within(t.local_height, most) &&
           std::size_t(t.local_width) * std::size_t(t.local_height) <= d.work_group_limit &&
           within(t.cell_width, most) && within(t.cell_height, most) &&
           t.cell_width % t.vector == 0;
}

std::size_t staged_bytes(const Tuning& t) {
    const int tile =
        (t.tile_width * t.vector + 2 * widest_halo + t.vector) * (t.tile_height + 2 * widest_halo);
    const int cells = (t.cell_width + widest_taps - 1 + t.vector) *
                      (t.cell_height + widest_taps - 1) * widest_taps * widest_taps;
    return std::size_t(std::max(tile, cells)) * sizeof(float);
}

const std::vector<TuningNumber>& tuning_numbers() {
    static const std::vector<TuningNumber> list = {{"vector", &Tuning::vector},
                                                   {"group", &Tuning::group},
                                                   {"groups", &Tuning::groups},
                                                   {"tile_width", &Tuning::tile_width},
                                                   {"tile_height", &Tuning::tile_height},
                                                   {"cell_width", &Tuning::cell_width},
                                                   {"cell_height", &Tuning::cell_height},
                                                   {"local_width", &Tuning::local_width},
                                                   {"local_height", &Tuning::local_height}};
    return list;
}

std::optional<Strategy> parse_strategy(const std::string& name) {
    for (const Strategy s : {Strategy::buffer, Strategy::image, Strategy::local})
        if (name == to_string(s)) return s;
    return std::nullopt;
}

Usable usable_strategy(const Tuning& wanted, const DeviceDescription& d, int width, int height) {
    const auto instead = [&](const std::string& why) {
        return Usable{Strategy::buffer, fmt::format("buffer instead of {}: {} {}",
                                                    to_string(wanted.strategy), d.name, why)};
    };
    if (wanted.strategy == Strategy::image) {
        if (!d.images) return instead("has no images");
        if (!d.float_images) return instead("has no images of one float per pixel");
        if (std::size_t(width) > d.image_width || std::size_t(height) > d.image_height)
            return instead(fmt::format("has images of at most {} x {} pixels, not {} x {}",
                                       d.image_width, d.image_height, width, height));
    }
    if (wanted.strategy == Strategy::local && staged_bytes(wanted) > d.local_memory)
        return instead(fmt::format("has {} bytes of local memory, a tile takes {}", d.local_memory,
                                   staged_bytes(wanted)));
    return {wanted.strategy, ""};
}

}  // namespace plenosr::opencl
