#include "backends/cpu/simd_sort.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd_sort.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it re-includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plenosr::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE void exchange(float* a, float* b) {
    const hn::CappedTag<float, sorted_columns> d;
    for (int i = 0; i < sorted_columns; i += int(hn::Lanes(d))) {
        const auto x = hn::LoadU(d, a + i);
        const auto y = hn::LoadU(d, b + i);
        hn::StoreU(hn::Min(x, y), d, a + i);
        hn::StoreU(hn::Max(x, y), d, b + i);
    }
}

// Batcher's odd-even merge sort: sorted runs of p rows are merged to runs of 2 p rows.
void sort_columns_v(float* table, int rows) {
    const auto row = [&](int i) { return table + std::ptrdiff_t(i) * sorted_columns; };
    for (int p = 1; p < rows; p *= 2)
        for (int k = p; k >= 1; k /= 2)
            for (int j = k % p; j + k < rows; j += 2 * k)
                for (int i = j; i < std::min(j + k, rows - k); ++i)
                    if (i / (2 * p) == (i + k) / (2 * p)) exchange(row(i), row(i + k));
}

}  // namespace plenosr::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plenosr::cpu {

HWY_EXPORT(sort_columns_v);

void sort_columns(float* table, int rows) {
    HWY_DYNAMIC_DISPATCH(sort_columns_v)(table, rows);
}

}  // namespace plenosr::cpu
#endif
