#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace plenosr {

// The median of at least one value: the mean of the two middle values if their number is even.
// Reorders the values.
inline float median_of(std::vector<float>& values) {
    const std::size_t middle = values.size() / 2;
    std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(middle), values.end());
    const float upper = values[middle];
    if (values.size() % 2 == 1) return upper;
    return 0.5F *
           (upper + *std::max_element(values.begin(), values.begin() + std::ptrdiff_t(middle)));
}

// The standard deviation by the median absolute deviation, 1.4826 median |values - middle|, which
// holds for normally distributed values with few outliers. Replaces the values by |value - middle|.
inline float spread_around(float middle, std::vector<float>& values) {
    for (float& value : values)
        value = std::abs(value - middle);
    return 1.4826F * median_of(values);
}

}  // namespace plenosr
