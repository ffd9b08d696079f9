#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "kernels/parameters.h"

namespace plenosr {

// The value at place `rank`, counted from 0, of the values in ascending order. Reorders the values.
template <class T>
T value_of_rank(std::vector<T>& values, std::size_t rank) {
    const auto place = values.begin() + std::ptrdiff_t(rank);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

// The median of at least one value; if their number is even, the upper one of the two middle
// values. Reorders the values.
template <class T>
T upper_median(std::vector<T>& values) {
    return value_of_rank(values, values.size() / 2);
}

// The median of at least one value: the mean of the two middle values if their number is even.
// Reorders the values.
inline float median_of(std::vector<float>& values) {
    const float upper = upper_median(values);
    if (values.size() % 2 == 1) return upper;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    return 0.5F * (upper + *std::max_element(values.begin(), middle));
}

// The standard deviation by the median absolute deviation, which holds for normally distributed
// values with few outliers.
inline float spread_of(float median_deviation) {
    return float(sigma_per_median) * median_deviation;
}

// The same of values around their middle. Replaces the values by |value - middle|.
inline float spread_around(float middle, std::vector<float>& values) {
    for (float& value : values)
        value = std::abs(value - middle);
    return spread_of(median_of(values));
}

}  // namespace plenosr
