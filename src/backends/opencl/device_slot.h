#pragma once

namespace plenosr::opencl {

// The lowest number that no other live DeviceSlot of this process has: 0, 1, 2, …
//
// Devices that are open at the same time compile their programs with different slot numbers
// (-DDEVICE_SLOT=N). PoCL keeps the versions of a kernel, each for grids up to some size, in one
// list per process. When a launch ends, it identifies a version by the program's hash and the group
// size alone, so overlapping launches of equal programs decrement each other's reference counts
// until an assertion aborts the process. Programs that differ are not confused.
class DeviceSlot {
public:
    DeviceSlot();
    ~DeviceSlot();
    DeviceSlot(const DeviceSlot&) = delete;
    DeviceSlot& operator=(const DeviceSlot&) = delete;
    int number() const { return number_; }

private:
    int number_ = 0;
};

}  // namespace plenosr::opencl
