#pragma once

#include <cstddef>

namespace plenosr {

// Peak resident memory of the process since its start or the last restart_peak_memory().
std::size_t peak_memory_bytes();
void restart_peak_memory();  // returns free memory to the system first

}  // namespace plenosr
