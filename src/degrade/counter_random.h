#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "plenosr/light_field.h"

namespace plenosr {

// Random numbers without a state: each is a hash of what it is for,
//   r = mix(mix(key(seed, view) + (y, x)) + (channel, draw)),
// so that a value depends neither on the order of evaluation nor on what else is drawn.
// mix() is a bijection of 64 bits (two multiply-xorshift rounds with the constants of splitmix64)
// in which every input bit flips each output bit with a chance near one half.
class CounterRandom {
public:
    // `poisson` is the last: what begins there has no end.
    enum class Draw : std::uint64_t {
        gaussian_radius,
        gaussian_angle,
        impulse,
        impulse_value,
        poisson
    };

    CounterRandom(std::uint64_t seed, ViewPosition position)
        // + 0.0 makes one zero of -0 and +0.
        : key_(mix(mix(mix(seed) + std::bit_cast<std::uint64_t>(position.row + 0.0)) +
                   std::bit_cast<std::uint64_t>(position.col + 0.0))) {}

    // Uniform on (0, 1]: 53 bits, never 0, so that its logarithm exists.
    double uniform(int y, int x, int channel, Draw draw) const {
        const std::uint64_t pixel = std::uint64_t(std::uint32_t(y)) << 32U | std::uint32_t(x);
        const std::uint64_t value =
            std::uint64_t(std::uint32_t(channel)) << 32U | static_cast<std::uint64_t>(draw);
        return double((mix(mix(key_ + pixel) + value) >> 11U) + 1) * 0x1p-53;
    }

    // Standard normal, by Box and Muller: sqrt(-2 ln r) cos(2 pi s).
    double gaussian(int y, int x, int channel) const {
        const double r = uniform(y, x, channel, Draw::gaussian_radius);
        const double s = uniform(y, x, channel, Draw::gaussian_angle);
        return std::sqrt(-2 * std::log(r)) * std::cos(2 * std::numbers::pi * s);
    }

    // The n-th of as many numbers as a Poisson variable may need.
    double uniform_of_poisson(int y, int x, int channel, unsigned n) const {
        return uniform(y, x, channel, Draw(static_cast<std::uint64_t>(Draw::poisson) + n));
    }

private:
    static std::uint64_t mix(std::uint64_t z) {
        z += 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio: 0 must not stay 0
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

    std::uint64_t key_;
};

}  // namespace plenosr
