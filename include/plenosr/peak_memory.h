#pragma once

#include <cstddef>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

// Peak resident memory of the process since its start or the last restart_peak_memory().
std::size_t peak_memory_bytes();
void restart_peak_memory();  // returns free memory to the system first

}  // namespace PLENOSR_EXPORT
