#pragma once

#include <algorithm>
#include <vector>

namespace plenosr {

// Of an even number, the mean of the two in the middle; reorders the values, of which there is one.
inline float median_of(std::vector<float>& values) {
    const std::size_t middle = values.size() / 2;
    std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(middle), values.end());
    const float upper = values[middle];
    if (values.size() % 2 == 1) return upper;
    return 0.5F *
           (upper + *std::max_element(values.begin(), values.begin() + std::ptrdiff_t(middle)));
}

}  // namespace plenosr
