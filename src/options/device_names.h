#pragma once

#include <string>
#include <vector>

namespace plenosr {

inline constexpr const char* opencl_prefix = "opencl:";

// Error(invalid_option) unless `name` is cpu, auto, opencl, opencl:INDEX or opencl:NAME-PART.
// Checks only the form of the name; opening the device fails if it does not exist.
void check_device_name(const std::string& name);

// The names in a list with commas, each checked.
std::vector<std::string> device_names(const std::string& list);

}  // namespace plenosr
