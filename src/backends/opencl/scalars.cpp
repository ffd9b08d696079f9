#include "backends/opencl/scalars.h"

namespace plenosr::opencl {

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
