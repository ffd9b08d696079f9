#include "backends/opencl/scalars.h"

#include <algorithm>

namespace plenosr::opencl {

Scalars::Scalars(Device& device) : device_(device) {
    for (int i = 0; i < usual_slots; ++i)
        new_slot();
}

std::shared_ptr<const Memory>& Scalars::new_slot() {
    return slots_.emplace_back(
        std::make_shared<const Memory>(device_.new_buffer(slot_bytes(device_.tuning()))));
}

Scalar Scalars::next() {
    const auto unused = std::find_if(slots_.begin(), slots_.end(),
                                     [](const auto& slot) { return slot.use_count() == 1; });
    return {unused != slots_.end() ? *unused : new_slot(), 1};
}

std::vector<double> Scalars::sums(const Memory& memory, int count) const {
    const std::size_t groups = std::size_t(device_.tuning().groups);
    std::vector<cl_float2> partial(groups * std::size_t(count));
    device_.read(memory, partial.data(), partial.size() * sizeof(cl_float2));
    std::vector<double> result(std::size_t(count), 0.0);
    for (std::size_t i = 0; i < partial.size(); ++i)
        result[i / groups] += double(partial[i].s[0]) + double(partial[i].s[1]);
    return result;
}

}  // namespace plenosr::opencl
