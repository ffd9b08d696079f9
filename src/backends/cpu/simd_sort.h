#pragma once

namespace plenosr::cpu {

inline constexpr int sorted_columns = 16;

// Sorts each of the 16 columns of a table of `rows` rows in ascending order. Infinite values are
// allowed, NaN is not.
void sort_columns(float* table, int rows);

}  // namespace plenosr::cpu
