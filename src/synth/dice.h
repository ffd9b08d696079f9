#pragma once

#include <cstdint>

namespace plenosr::synth {

// A sequence of random numbers (splitmix64) that is the same on every machine.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}

    double uniform() {  // [0, 1)
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return double((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
    }
    double between(double low, double high) { return low + (high - low) * uniform(); }
    int below(int count) { return int(uniform() * count); }
    int from(int low, int high) { return low + below(high - low + 1); }  // both included
    bool chance(double probability) { return uniform() < probability; }

private:
    std::uint64_t state_;
};

}  // namespace plenosr::synth
