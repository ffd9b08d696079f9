#include "backends/opencl/scalars.h"

#include <vector>

namespace plenosr::opencl {

double Scalars::sum(const Memory& memory, int index) const {
    std::vector<cl_float2> partial(std::size_t(device_.tuning().groups));
    const std::size_t bytes = partial.size() * sizeof(cl_float2);
    device_.read(memory, partial.data(), bytes, std::size_t(index) * bytes);
    double sum = 0;
    for (const cl_float2& p : partial)
        sum += double(p.s[0]) + double(p.s[1]);
    return sum;
}

}  // namespace plenosr::opencl
