#pragma once

namespace plenosr::opencl {

// Calls the function that on_kernel_compilation() of plenosr/devices.h has set, if there is one.
void announce_compilation();

}  // namespace plenosr::opencl
