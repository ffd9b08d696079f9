#include "backends/opencl/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace plenosr::opencl {
namespace {

constexpr int widest_frame = 8;  // pixels around a staged tile
constexpr int widest_vector = 16;

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
        t = {Strategy::local, 1, 128, 256, 32, 4, 32, 4, 32, 4};
    } else {
        // One work-item per group leaves the vectors to the kernel and the threads to the driver.
        const int vector = std::clamp(power_of_two_below(d.vector_width), 4, 8);
        t = {Strategy::local, vector, 1, 64, 64, 16, 128, 16, 1, 1};
    }
    t.group = at_most(t.group, std::bit_floor(d.work_group_limit));
    t.tile_width = at_most(t.tile_width, std::bit_floor(d.work_group_limit));
    t.tile_height = at_most(t.tile_height, d.work_group_limit / std::size_t(t.tile_width));
    while (t.strategy == Strategy::local && t.tile_height > 1 && staged_bytes(t) > d.local_memory)
        t.tile_height /= 2;
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
           std::size_t(t.tile_width) * std::size_t(t.tile_height) <= d.work_group_limit &&
           within(t.cell_width, most) && within(t.cell_height, most);
}

std::size_t staged_bytes(const Tuning& t) {
    const int width = t.tile_width * t.vector + 2 * widest_frame;
    const int height = t.tile_height + 2 * widest_frame;
    return std::size_t(width) * std::size_t(height) * sizeof(float);
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
