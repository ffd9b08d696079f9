#pragma once

#include <algorithm>
#include <cmath>
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

// 1.4826 median |values - middle|: the standard deviation, where outliers are few; the values
// become distances.
inline float spread_around(float middle, std::vector<float>& values) {
    for (float& value : values)
        value = std::abs(value - middle);
    return 1.4826F * median_of(values);
}

}  // namespace plenosr
