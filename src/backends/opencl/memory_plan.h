#pragma once

#include <algorithm>
#include <cstddef>

namespace plenosr::opencl {

// OpenCL buffers are whole quads of floats, so that kernels can copy and clear them as float4.
constexpr std::size_t buffer_bytes(std::size_t bytes) {
    return std::max<std::size_t>((bytes + 15) / 16 * 16, 16);
}

// Memory objects that an operator will take. Each class on the device has a function memory(),
// which adds the sizes that its constructor allocates, from the same expressions.
struct MemoryPlan {
    std::size_t bytes = 0;
    std::size_t largest = 0;  // single object

    MemoryPlan& add(std::size_t object_bytes, std::size_t count = 1) {
        const std::size_t rounded = buffer_bytes(object_bytes);
        bytes += count * rounded;
        if (count > 0) largest = std::max(largest, rounded);
        return *this;
    }
    MemoryPlan& add(const MemoryPlan& other, std::size_t count = 1) {
        bytes += count * other.bytes;
        if (count > 0) largest = std::max(largest, other.largest);
        return *this;
    }
};

}  // namespace plenosr::opencl
