#include "backends/cpu/simd_periodic.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd_periodic.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it re-includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plenosr::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, periodic_lanes>;

void periodic_v(const PeriodicTap* taps, int count, int period, const float* in, float* out,
                int begin, int end) {
    const D d;
    const int lanes = int(hn::Lanes(d));
    const int length = period * periodic_lanes;
    int x = begin;
    int phase = 0;
    for (; x + lanes <= end; x += lanes) {
        auto even = hn::Zero(d);  // two independent sums hide the latency of additions
        auto odd = hn::Zero(d);
        int i = 0;
        for (; i + 1 < count; i += 2) {
            even = hn::MulAdd(hn::LoadU(d, taps[i].pattern + phase),
                              hn::LoadU(d, in + taps[i].offset + x), even);
            odd = hn::MulAdd(hn::LoadU(d, taps[i + 1].pattern + phase),
                             hn::LoadU(d, in + taps[i + 1].offset + x), odd);
        }
        if (i < count)
            even = hn::MulAdd(hn::LoadU(d, taps[i].pattern + phase),
                              hn::LoadU(d, in + taps[i].offset + x), even);
        hn::StoreU(hn::Add(even, odd), d, out + x);
        phase = phase + lanes == length ? 0 : phase + lanes;
    }
    for (; x < end; ++x, ++phase) {
        float sum = 0;
        for (int i = 0; i < count; ++i)
            sum += taps[i].pattern[phase] * in[taps[i].offset + x];
        out[x] = sum;
    }
}

}  // namespace plenosr::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plenosr::cpu {

HWY_EXPORT(periodic_v);

void apply_periodic_row(const PeriodicTap* taps, int count, int period, const float* in, float* out,
                        int begin, int end) {
    HWY_DYNAMIC_DISPATCH(periodic_v)(taps, count, period, in, out, begin, end);
}

}  // namespace plenosr::cpu
#endif
