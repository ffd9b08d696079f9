#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace plenosr {

// These functions need at least one value and reorder the values.

// The middle value; of an even number, the larger of the two middle values.
template <class Number>
Number upper_median_of(std::vector<Number>& values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// The middle value; of an even number, the mean of the two middle values.
inline float median_of(std::vector<float>& values) {
    const float upper = upper_median_of(values);
    if (values.size() % 2 == 1) return upper;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    return 0.5F * (upper + *std::max_element(values.begin(), middle));
}

// The standard deviation by the median absolute deviation, 1.4826 median |values - middle|, which
// holds for normally distributed values with few outliers. Replaces the values by |value - middle|.
inline float spread_around(float middle, std::vector<float>& values) {
    for (float& value : values)
        value = std::abs(value - middle);
    return 1.4826F * median_of(values);
}

}  // namespace plenosr
