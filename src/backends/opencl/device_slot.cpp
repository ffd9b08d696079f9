#include "backends/opencl/device_slot.h"

#include <mutex>
#include <set>

namespace plenosr::opencl {
namespace {

struct Taken {
    std::mutex mutex;
    std::set<int> numbers;
};

Taken& taken() {
    static Taken one;
    return one;
}

}  // namespace

DeviceSlot::DeviceSlot() {
    const std::lock_guard lock(taken().mutex);
    while (taken().numbers.contains(number_))
        ++number_;
    taken().numbers.insert(number_);
}

DeviceSlot::~DeviceSlot() {
    const std::lock_guard lock(taken().mutex);
    taken().numbers.erase(number_);
}

}  // namespace plenosr::opencl
