#pragma once

#include <cstdint>
#include <vector>

#include "plenosr/image.h"

namespace plenosr::test {

// Reproducible values in [low, high): the same on every machine.
class RandomValues {
public:
    explicit RandomValues(std::uint64_t seed) : state_(seed * 2654435769ULL + 1) {}

    float next(float low = -1.0F, float high = 1.0F) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto bits = std::uint32_t((state_ ^ (state_ >> 29)) >> 32);
        return low + (high - low) * float(bits >> 8) / float(1 << 24);
    }
    std::vector<float> vector(std::size_t n, float low = -1.0F, float high = 1.0F) {
        std::vector<float> values(n);
        for (float& v : values)
            v = next(low, high);
        return values;
    }
    Image image(int width, int height, int channels = 1, float low = 0.0F, float high = 255.0F) {
        Image result(width, height, channels);
        for (float& v : result.values)
            v = next(low, high);
        return result;
    }

private:
    std::uint64_t state_;
};

}  // namespace plenosr::test
