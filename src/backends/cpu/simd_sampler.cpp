#include "backends/cpu/simd_sampler.h"

#include "kernels/pixel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd_sampler.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it re-includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plenosr::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D4 = hn::FixedTag<float, 4>;
using V4 = hn::Vec<D4>;

// cubic_weights() of kernels/pixel.h, one lane per tap.
struct Cubic {
    V4 c0, c1, c2, c3;
    HWY_INLINE Cubic() {
        const D4 d;
        alignas(16) static constexpr float k0[4] = {PLENOSR_CUBIC_C0};
        alignas(16) static constexpr float k1[4] = {PLENOSR_CUBIC_C1};
        alignas(16) static constexpr float k2[4] = {PLENOSR_CUBIC_C2};
        alignas(16) static constexpr float k3[4] = {PLENOSR_CUBIC_C3};
        c0 = hn::Load(d, k0);
        c1 = hn::Load(d, k1);
        c2 = hn::Load(d, k2);
        c3 = hn::Load(d, k3);
    }
    HWY_INLINE V4 weights(float fraction) const {
        const V4 f = hn::Set(D4(), fraction);
        return hn::MulAdd(f, hn::MulAdd(f, hn::MulAdd(f, c3, c2), c1), c0);
    }
};

HWY_INLINE void gather_cubic(const Sample* samples, int n, const float* top, std::int64_t stride,
                             float* out) {
    const D4 d;
    const Cubic cubic;
    for (int i = 0; i < n; ++i) {
        const Sample s = samples[i];
        const V4 wy = cubic.weights(s.fy);
        const float* p = top + s.x;
        V4 sum = hn::Mul(hn::Broadcast<0>(wy), hn::LoadU(d, p));
        sum = hn::MulAdd(hn::Broadcast<1>(wy), hn::LoadU(d, p + stride), sum);
        sum = hn::MulAdd(hn::Broadcast<2>(wy), hn::LoadU(d, p + 2 * stride), sum);
        sum = hn::MulAdd(hn::Broadcast<3>(wy), hn::LoadU(d, p + 3 * stride), sum);
        out[i] = hn::GetLane(hn::SumOfLanes(d, hn::Mul(sum, cubic.weights(s.fx))));
    }
}

HWY_INLINE void gather_linear(const Sample* samples, int n, const float* top, std::int64_t stride,
                              float* out) {
    for (int i = 0; i < n; ++i) {
        const Sample s = samples[i];
        const float* p = top + s.x;
        const float* q = p + stride;
        const float upper = (1.0F - s.fx) * p[0] + s.fx * p[1];
        const float lower = (1.0F - s.fx) * q[0] + s.fx * q[1];
        out[i] = (1.0F - s.fy) * upper + s.fy * lower;
    }
}

void gather_v(int taps, const Sample* samples, int n, const float* top, std::int64_t stride,
              float* out) {
    if (taps == 4)
        gather_cubic(samples, n, top, stride, out);
    else
        gather_linear(samples, n, top, stride, out);
}

HWY_INLINE void add_to(float* p, V4 weight, V4 value) {
    const D4 d;
    hn::StoreU(hn::MulAdd(weight, value, hn::LoadU(d, p)), d, p);
}

void scatter_v(int taps, const Sample* samples, int n, const float* values, float* top,
               std::int64_t stride, int first, int last) {
    if (taps == 4) {
        const Cubic cubic;
        const bool whole = first == 0 && last == 4;
        for (int i = 0; i < n; ++i) {
            const Sample s = samples[i];
            const V4 wy = cubic.weights(s.fy);
            const V4 value = hn::Mul(cubic.weights(s.fx), hn::Set(D4(), values[i]));
            float* p = top + s.x;
            if (whole || (first <= 0 && last > 0)) add_to(p, hn::Broadcast<0>(wy), value);
            if (whole || (first <= 1 && last > 1)) add_to(p + stride, hn::Broadcast<1>(wy), value);
            if (whole || (first <= 2 && last > 2))
                add_to(p + 2 * stride, hn::Broadcast<2>(wy), value);
            if (whole || (first <= 3 && last > 3))
                add_to(p + 3 * stride, hn::Broadcast<3>(wy), value);
        }
        return;
    }
    for (int i = 0; i < n; ++i) {
        const Sample s = samples[i];
        for (int j = first; j < last; ++j) {
            const float value = (j == 0 ? 1.0F - s.fy : s.fy) * values[i];
            float* p = top + j * stride + s.x;
            p[0] += (1.0F - s.fx) * value;
            p[1] += s.fx * value;
        }
    }
}

void accumulate_cubic(const Sample* samples, int n, const float* m, float* const* rows) {
    constexpr int slots = 28;  // 4 rows of 7; the first row uses the right half
    const D4 d;
    const Cubic cubic;
    for (int i = 0; i < n; ++i) {
        const Sample s = samples[i];
        const V4 wx = cubic.weights(s.fx);
        alignas(16) float wy[4];
        hn::Store(cubic.weights(s.fy), d, wy);
        const V4 mx = hn::Mul(wx, hn::Set(d, m[i]));
        // pair[k]: m wx_k wx_0 … wx_3, the row of the 4 x 4 outer product
        const V4 pair0 = hn::Mul(hn::Broadcast<0>(wx), mx);
        const V4 pair1 = hn::Mul(hn::Broadcast<1>(wx), mx);
        const V4 pair2 = hn::Mul(hn::Broadcast<2>(wx), mx);
        const V4 pair3 = hn::Mul(hn::Broadcast<3>(wx), mx);
        const std::int64_t base = std::int64_t(s.x) * slots + 3;
        for (int j = 0; j < 4; ++j) {
            float* p = rows[j] + base;
            for (int dy = 0; dy < 4 - j; ++dy) {
                const V4 w = hn::Set(d, wy[j] * wy[j + dy]);
                // neighbours dx = -k … 3 - k of pixel k are consecutive
                float* q = p + dy * 7;
                add_to(q, w, pair0);
                add_to(q + slots - 1, w, pair1);
                add_to(q + 2 * slots - 2, w, pair2);
                add_to(q + 3 * slots - 3, w, pair3);
            }
        }
    }
}

void accumulate_linear(const Sample* samples, int n, const float* m, float* const* rows) {
    constexpr int slots = 6;
    for (int i = 0; i < n; ++i) {
        const Sample s = samples[i];
        const float wx[2] = {1.0F - s.fx, s.fx};
        const float wy[2] = {1.0F - s.fy, s.fy};
        for (int j = 0; j < 2; ++j)
            for (int dy = 0; dy < 2 - j; ++dy)
                for (int k = 0; k < 2; ++k)
                    for (int l = 0; l < 2; ++l)
                        rows[j][std::int64_t(s.x + k) * slots + 1 + dy * 3 + l - k] +=
                            m[i] * wy[j] * wy[j + dy] * wx[k] * wx[l];
    }
}

void accumulate_v(int taps, const Sample* samples, int n, const float* m, float* const* rows) {
    if (taps == 4)
        accumulate_cubic(samples, n, m, rows);
    else
        accumulate_linear(samples, n, m, rows);
}

}  // namespace plenosr::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plenosr::cpu {

HWY_EXPORT(gather_v);
HWY_EXPORT(scatter_v);
HWY_EXPORT(accumulate_v);

void gather_samples(int taps, const Sample* samples, int n, const float* top, std::int64_t stride,
                    float* out) {
    HWY_DYNAMIC_DISPATCH(gather_v)(taps, samples, n, top, stride, out);
}
void scatter_samples(int taps, const Sample* samples, int n, const float* values, float* top,
                     std::int64_t stride, int first, int last) {
    HWY_DYNAMIC_DISPATCH(scatter_v)(taps, samples, n, values, top, stride, first, last);
}
void accumulate_stencil(int taps, const Sample* samples, int n, const float* m,
                        float* const* rows) {
    HWY_DYNAMIC_DISPATCH(accumulate_v)(taps, samples, n, m, rows);
}

}  // namespace plenosr::cpu
#endif
