#pragma once

#include <memory>
#include <vector>

#include "backends/opencl/device_images.h"

namespace plenosr::opencl {

// A number that stays on the device: `groups` partial sums (src/kernels/vector.cl) times a factor.
// Copies share the partial sums, which stay as they are while any of the copies lives.
struct Scalar {
    std::shared_ptr<const Memory> partial_sums;
    float factor = 1;
};

// The memory of a solve's scalars. A slot is reused once no Scalar refers to it. Commands run in
// order, so those that read the old value finish before the new one is written.
class Scalars {
public:
    // Conjugate gradients hold four at a time: the first rho, rho, <p, q> and the next rho.
    static constexpr int usual_slots = 4;
    static std::size_t slot_bytes(const Tuning& tuning) {
        return std::size_t(tuning.groups) * sizeof(cl_float2);
    }

    explicit Scalars(Device& device);
    Scalar next();  // takes more memory if all slots are in use
    double value(const Scalar& s) const { return sums(*s.partial_sums, 1)[0] * double(s.factor); }
    // The first `count` of the scalars that lie one after the other in `memory`, by one read.
    std::vector<double> sums(const Memory& memory, int count) const;

private:
    std::shared_ptr<const Memory>& new_slot();

    Device& device_;
    std::vector<std::shared_ptr<const Memory>> slots_;
};

}  // namespace plenosr::opencl
