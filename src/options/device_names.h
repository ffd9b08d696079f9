#pragma once

#include <string>
#include <vector>

namespace plenosr {

inline constexpr const char* opencl_prefix = "opencl:";

// Error(invalid_option) unless `name` is cpu, auto, opencl, opencl:INDEX or opencl:NAME-PART. Checks
// the form alone; whether there is such a device is found out when it is opened.
void check_device_name(const std::string& name);

// The names in a list with commas, each checked.
std::vector<std::string> device_names(const std::string& list);

}  // namespace plenosr
