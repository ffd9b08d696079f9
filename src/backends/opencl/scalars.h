#pragma once

#include <vector>

#include "backends/opencl/field.h"

namespace plenosr::opencl {

// A number that stays on the device: `groups` partial sums (src/kernels/vector.cl) times a factor.
struct Scalar {
    int slot = 0;
    float factor = 1;
};

// Memory of the scalars of a solve, used in turn; a scalar is good until `slots` newer ones were
// made. Conjugate gradients hold four at a time.
class Scalars {
public:
    static constexpr int slots = 16;
    Scalars(Device& device) : device_(device) {
        for (Memory& memory : memory_)
            memory = device.new_buffer(std::size_t(device.tuning().groups) * sizeof(cl_float2));
    }
    Scalar next() { return {next_ = (next_ + 1) % slots, 1}; }
    const Memory& operator[](Scalar s) const { return memory_[s.slot]; }
    double value(Scalar s) const { return sums(memory_[s.slot], 1)[0] * double(s.factor); }
    // of scalars that lie one after the other in `memory`, the first `count`; one read for all
    std::vector<double> sums(const Memory& memory, int count) const;

private:
    Device& device_;
    Memory memory_[slots];
    int next_ = 0;
};

}  // namespace plenosr::opencl
