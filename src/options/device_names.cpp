#include "options/device_names.h"

#include <algorithm>

#include "options/option_list.h"

namespace plenosr {

void check_device_name(const std::string& name) {
    const std::string prefix = opencl_prefix;
    const bool is_opencl =
        name == "opencl" || (name.starts_with(prefix) && name.size() > prefix.size());
    if (name != "cpu" && name != "auto" && !is_opencl)
        refuse("device", name, "cpu, auto, opencl, opencl:INDEX or opencl:NAME-PART");
}

std::vector<std::string> device_names(const std::string& list) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        names.push_back(list.substr(begin, end - begin));
        check_device_name(names.back());
        begin = end + 1;
    }
    return names;
}

}  // namespace plenosr
