#include "backends/cpu/simd_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd_rows.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it re-includes this file once per instruction set.
#include <hwy/highway.h>

#include "backends/cpu/simd_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plenosr::cpu::HWY_NAMESPACE {

// The loop over the taps unrolls if their number is constant; kTaps = 0: any number.
template <int kTaps>
HWY_INLINE void weighted_rows_n(const float* const* rows, const float* w, int taps, float* out,
                                int n) {
    const int count = kTaps ? kTaps : taps;
    for_lanes(n, [&](auto d, int x) HWY_ATTR {
        auto sum = hn::Mul(hn::Set(d, w[0]), hn::LoadU(d, rows[0] + x));
        for (int a = 1; a < count; ++a)
            sum = hn::MulAdd(hn::Set(d, w[a]), hn::LoadU(d, rows[a] + x), sum);
        hn::StoreU(sum, d, out + x);
    });
}

void weighted_rows_v(const float* const* rows, const float* w, int taps, float* out, int n) {
    switch (taps) {
        case 1:
            return weighted_rows_n<1>(rows, w, taps, out, n);
        case 5:
            return weighted_rows_n<5>(rows, w, taps, out, n);
        case 7:
            return weighted_rows_n<7>(rows, w, taps, out, n);
        default:
            return weighted_rows_n<0>(rows, w, taps, out, n);
    }
}

template <int kTaps, bool kAdd>
HWY_INLINE void correlate_n(const float* in, const float* k, int taps, float* out, int n) {
    const int count = kTaps ? kTaps : taps;
    for_lanes(n, [&](auto d, int x) HWY_ATTR {
        auto sum = kAdd ? hn::LoadU(d, out + x) : hn::Zero(d);
        for (int i = 0; i < count; ++i)
            sum = hn::MulAdd(hn::Set(d, k[i]), hn::LoadU(d, in + x + i), sum);
        hn::StoreU(sum, d, out + x);
    });
}

template <bool kAdd>
void correlate_v(const float* in, const float* k, int taps, float* out, int n) {
    switch (taps) {
        case 5:
            return correlate_n<5, kAdd>(in, k, taps, out, n);
        case 7:
            return correlate_n<7, kAdd>(in, k, taps, out, n);
        default:
            return correlate_n<0, kAdd>(in, k, taps, out, n);
    }
}

void correlate_set_v(const float* in, const float* k, int taps, float* out, int n) {
    correlate_v<false>(in, k, taps, out, n);
}
void correlate_add_v(const float* in, const float* k, int taps, float* out, int n) {
    correlate_v<true>(in, k, taps, out, n);
}

double dot_row_v(const float* a, const float* b, int n) {
    const D d;
    const int lanes = int(hn::Lanes(d));
    V s0 = hn::Zero(d);
    V s1 = hn::Zero(d);
    int x = 0;
    for (; x + 2 * lanes <= n; x += 2 * lanes) {
        s0 = hn::MulAdd(hn::LoadU(d, a + x), hn::LoadU(d, b + x), s0);
        s1 = hn::MulAdd(hn::LoadU(d, a + x + lanes), hn::LoadU(d, b + x + lanes), s1);
    }
    double sum = double(hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1))));
    for (; x < n; ++x)
        sum += double(a[x]) * double(b[x]);
    return sum;
}

void axpby_row_v(float a, const float* x, float b, float* y, int n) {
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        const auto scaled = hn::Mul(hn::Set(d, b), hn::LoadU(d, y + i));
        hn::StoreU(hn::MulAdd(hn::Set(d, a), hn::LoadU(d, x + i), scaled), d, y + i);
    });
}

double cg_step_row_v(float alpha, const float* p, const float* q, const float* inverse_diagonal,
                     float* x, float* r, int n) {
    const D d;
    const int lanes = int(hn::Lanes(d));
    const V va = hn::Set(d, alpha);
    V sum = hn::Zero(d);
    int i = 0;
    for (; i + lanes <= n; i += lanes) {
        hn::StoreU(hn::MulAdd(va, hn::LoadU(d, p + i), hn::LoadU(d, x + i)), d, x + i);
        const V residual = hn::NegMulAdd(va, hn::LoadU(d, q + i), hn::LoadU(d, r + i));
        hn::StoreU(residual, d, r + i);
        sum = hn::MulAdd(hn::Mul(residual, residual), hn::LoadU(d, inverse_diagonal + i), sum);
    }
    double total = double(hn::GetLane(hn::SumOfLanes(d, sum)));
    for (; i < n; ++i) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        total += double(r[i]) * double(r[i]) * double(inverse_diagonal[i]);
    }
    return total;
}

void cg_direction_row_v(float beta, const float* inverse_diagonal, const float* r, float* p,
                        int n) {
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        const auto scaled = hn::Mul(hn::Set(d, beta), hn::LoadU(d, p + i));
        hn::StoreU(hn::MulAdd(hn::LoadU(d, inverse_diagonal + i), hn::LoadU(d, r + i), scaled), d,
                   p + i);
    });
}

const char* simd_target_v() {
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace plenosr::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plenosr::cpu {

HWY_EXPORT(weighted_rows_v);
HWY_EXPORT(correlate_set_v);
HWY_EXPORT(correlate_add_v);
HWY_EXPORT(dot_row_v);
HWY_EXPORT(axpby_row_v);
HWY_EXPORT(cg_step_row_v);
HWY_EXPORT(cg_direction_row_v);
HWY_EXPORT(simd_target_v);

void weighted_rows(const float* const* rows, const float* w, int taps, float* out, int n) {
    HWY_DYNAMIC_DISPATCH(weighted_rows_v)(rows, w, taps, out, n);
}
void correlate_row(const float* in, const float* k, int taps, float* out, int n) {
    HWY_DYNAMIC_DISPATCH(correlate_set_v)(in, k, taps, out, n);
}
void add_correlated_row(const float* in, const float* k, int taps, float* out, int n) {
    HWY_DYNAMIC_DISPATCH(correlate_add_v)(in, k, taps, out, n);
}
double dot_row(const float* a, const float* b, int n) {
    return HWY_DYNAMIC_DISPATCH(dot_row_v)(a, b, n);
}
void axpby_row(float a, const float* x, float b, float* y, int n) {
    HWY_DYNAMIC_DISPATCH(axpby_row_v)(a, x, b, y, n);
}
double cg_step_row(float alpha, const float* p, const float* q, const float* inverse_diagonal,
                   float* x, float* r, int n) {
    return HWY_DYNAMIC_DISPATCH(cg_step_row_v)(alpha, p, q, inverse_diagonal, x, r, n);
}
void cg_direction_row(float beta, const float* inverse_diagonal, const float* r, float* p, int n) {
    HWY_DYNAMIC_DISPATCH(cg_direction_row_v)(beta, inverse_diagonal, r, p, n);
}
const char* simd_target() {
    return HWY_DYNAMIC_DISPATCH(simd_target_v)();
}

}  // namespace plenosr::cpu
#endif
