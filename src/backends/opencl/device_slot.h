#pragma once

namespace plenosr::opencl {

// The lowest number that no other DeviceSlot of this process has at the moment: 0, 1, 2, …
//
// Devices that are alive together compile their programs under different numbers. PoCL keeps
// versions of a kernel, each for grids up to some size, in one list for the process, and tells them
// apart by the program's hash and the size of the groups alone when a launch ends; launches that
// overlap then count each other's versions down, until an assertion aborts the process. Programs
// that differ never meet there.
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
