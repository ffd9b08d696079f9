// Included by the simd_*.cpp files once per instruction set, hence the guard that toggles.
#if defined(PLENOSR_SIMD_SUM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLENOSR_SIMD_SUM_INL_H
#undef PLENOSR_SIMD_SUM_INL_H
#else
#define PLENOSR_SIMD_SUM_INL_H
#endif

#include "backends/cpu/simd_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plenosr::cpu::HWY_NAMESPACE {

// A sum with one partial sum per lane, and one for single values.
struct Sum {
    V lanes;
    float tail = 0;
    HWY_INLINE Sum() : lanes(hn::Zero(D())) {}
    HWY_INLINE void add(V v) { lanes = hn::Add(lanes, v); }
    template <class V1>
    HWY_INLINE void add_one(V1 v) {
        tail += hn::GetLane(v);
    }
    HWY_INLINE double total() const {
        return double(hn::GetLane(hn::SumOfLanes(D(), lanes))) + double(tail);
    }
};
HWY_INLINE void add(Sum& sum, D, V v) {
    sum.add(v);
}
HWY_INLINE void add(Sum& sum, D1, hn::Vec<D1> v) {
    sum.add_one(v);
}

}  // namespace plenosr::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
