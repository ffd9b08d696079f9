// Included by the simd_*.cpp files once per instruction set, hence the guard that toggles.
#if defined(PLENOSR_SIMD_LOOP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLENOSR_SIMD_LOOP_INL_H
#undef PLENOSR_SIMD_LOOP_INL_H
#else
#define PLENOSR_SIMD_LOOP_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plenosr::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
using D1 = hn::CappedTag<float, 1>;

// Runs body(tag, i) over whole vectors, then over single values with the same operations. A value
// is rounded the same way in both, so results do not depend on how threads divide the work.
template <class Body>
HWY_INLINE void for_lanes(int n, Body&& body) {
    const D d;
    const int lanes = int(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= n; i += lanes)
        body(d, i);
    for (; i < n; ++i)
        body(D1(), i);
}

}  // namespace plenosr::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
