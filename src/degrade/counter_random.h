#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "plenosr/light_field.h"

namespace plenosr {

// Counter-based random numbers without state: each number is a hash of its purpose,
//   r = mix(mix(key(seed, view) + (y, x)) + (channel, draw)),
// so that it does not depend on the order of evaluation or on other draws. mix() is a bijection of
// 64 bits (two multiply-xorshift rounds with the constants of splitmix64). Every input bit flips
// each output bit with a probability near one half.
class CounterRandom {
public:
    // `poisson` must be the last: its draws are numbered poisson, poisson + 1 and so on.
    enum class Draw : std::uint64_t {
        gaussian_radius,
        gaussian_angle,
        impulse,
        impulse_value,
        poisson
    };

    CounterRandom(std::uint64_t seed, ViewPosition position)
        // + 0.0 turns -0 into +0.
        : key_(mix(mix(mix(seed) + std::bit_cast<std::uint64_t>(position.row + 0.0)) +
                   std::bit_cast<std::uint64_t>(position.col + 0.0))) {}

    // Uniform on (0, 1] with 53 bits; never 0, so that its logarithm is finite.
    double uniform(int y, int x, int channel, Draw draw) const {
        const std::uint64_t pixel = std::uint64_t(std::uint32_t(y)) << 32U | std::uint32_t(x);
        const std::uint64_t value =
            std::uint64_t(std::uint32_t(channel)) << 32U | static_cast<std::uint64_t>(draw);
        return double((mix(mix(key_ + pixel) + value) >> 11U) + 1) * 0x1p-53;
    }

    // Standard normal by Box-Muller: sqrt(-2 ln r) cos(2 pi s).
    double gaussian(int y, int x, int channel) const {
        const double r = uniform(y, x, channel, Draw::gaussian_radius);
        const double s = uniform(y, x, channel, Draw::gaussian_angle);
        return std::sqrt(-2 * std::log(r)) * std::cos(2 * std::numbers::pi * s);
    }

    // The n-th uniform number for a Poisson variable.
    double uniform_of_poisson(int y, int x, int channel, unsigned n) const {
        return uniform(y, x, channel, Draw(static_cast<std::uint64_t>(Draw::poisson) + n));
    }

private:
    static std::uint64_t mix(std::uint64_t z) {
        z += 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio; without it 0 would map to 0
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

    std::uint64_t key_;
};

}  // namespace plenosr
