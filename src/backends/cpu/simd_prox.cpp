#include "backends/cpu/simd_prox.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd_prox.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it re-includes this file once per instruction set.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "backends/cpu/simd_sum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plenosr::cpu::HWY_NAMESPACE {

template <class Dd, class Vv = hn::Vec<Dd>>
HWY_INLINE Vv clip(Vv u, Vv t) {
    return hn::Max(hn::Neg(t), hn::Min(u, t));
}

StepSums prior_step_v(const ProxStep& step, const float* s, const float* e_old, const float* e,
                      float* u, int n) {
    Sum l1;
    Sum primal;
    Sum dual;
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        using Dd = decltype(d);
        const auto value = hn::LoadU(d, s + i);
        const auto weight = hn::LoadU(d, e + i);
        const auto u_old = hn::LoadU(d, u + i);
        const auto w_old =
            clip<Dd>(u_old, hn::Mul(hn::Set(d, step.old_threshold), hn::LoadU(d, e_old + i)));
        const auto z_old = hn::Sub(u_old, w_old);
        const auto u_new = hn::MulAdd(hn::Set(d, step.relax), hn::Sub(value, z_old), u_old);
        const auto w = clip<Dd>(u_new, hn::Mul(hn::Set(d, step.threshold), weight));
        const auto z = hn::Sub(u_new, w);
        hn::StoreU(u_new, d, u + i);
        add(l1, d, hn::Mul(weight, hn::Abs(value)));
        const auto gap = hn::Sub(value, z);
        const auto change = hn::Sub(z, z_old);
        add(primal, d, hn::Mul(gap, gap));
        add(dual, d, hn::Mul(change, change));
    });
    return {l1.total(), 0.0, primal.total(), dual.total()};
}

void prior_force_v(float threshold, const float* s, const float* e, const float* u, float* f,
                   int n) {
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        using Dd = decltype(d);
        const auto sum = hn::LoadU(d, u + i);
        const auto w = clip<Dd>(sum, hn::Mul(hn::Set(d, threshold), hn::LoadU(d, e + i)));
        hn::StoreU(hn::MulAdd(hn::Set(d, 2.0F), w, hn::Sub(hn::LoadU(d, s + i), sum)), d, f + i);
    });
}

StepSums data_step_v(const ProxStep& step, float quadratic, float penalty, const float* y,
                     const float* m, float* u, float* ax, int n) {
    Sum l1;
    Sum l2;
    Sum primal;
    Sum dual;
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        using Dd = decltype(d);
        const auto r = hn::Sub(hn::LoadU(d, ax + i), hn::LoadU(d, y + i));
        const auto weight = hn::LoadU(d, m + i);
        const auto u_old = hn::LoadU(d, u + i);
        const auto w_old = clip<Dd>(u_old, hn::Set(d, step.old_threshold));
        const auto z_old = hn::Sub(u_old, w_old);
        const auto u_new = hn::MulAdd(hn::Set(d, step.relax), hn::Sub(r, z_old), u_old);
        const auto w = clip<Dd>(u_new, hn::Set(d, step.threshold));
        const auto z = hn::Sub(u_new, w);
        hn::StoreU(u_new, d, u + i);
        const auto gap = hn::Sub(r, z);
        const auto change = hn::Sub(z, z_old);
        const auto force =
            hn::MulAdd(hn::Set(d, quadratic), r, hn::Mul(hn::Set(d, penalty), hn::Add(gap, w)));
        hn::StoreU(hn::Mul(weight, force), d, ax + i);
        add(l1, d, hn::Mul(weight, hn::Abs(r)));
        add(l2, d, hn::Mul(weight, hn::Mul(r, r)));
        add(primal, d, hn::Mul(weight, hn::Mul(gap, gap)));
        add(dual, d, hn::Mul(weight, hn::Mul(change, change)));
    });
    return {l1.total(), l2.total(), primal.total(), dual.total()};
}

template <class Dd, class Vv = hn::Vec<Dd>>
HWY_INLINE Vv signed_like(Dd d, float magnitude, Vv v) {
    const auto zero = hn::Zero(d);
    const auto positive = hn::IfThenElseZero(hn::Gt(v, zero), hn::Set(d, magnitude));
    const auto negative = hn::IfThenElseZero(hn::Lt(v, zero), hn::Set(d, -magnitude));
    return hn::Add(positive, negative);
}

StepSums data_gradient_v(float lambda1, float quadratic, const float* y, const float* m, float* ax,
                         int n) {
    Sum l1;
    Sum l2;
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        const auto r = hn::Sub(hn::LoadU(d, ax + i), hn::LoadU(d, y + i));
        const auto weight = hn::LoadU(d, m + i);
        const auto slope = hn::MulAdd(hn::Set(d, quadratic), r, signed_like(d, lambda1, r));
        hn::StoreU(hn::Mul(weight, slope), d, ax + i);
        add(l1, d, hn::Mul(weight, hn::Abs(r)));
        add(l2, d, hn::Mul(weight, hn::Mul(r, r)));
    });
    return {l1.total(), l2.total(), 0.0, 0.0};
}

double prior_gradient_v(float weight, const float* s, const float* e, float* f, int n) {
    Sum l1;
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        const auto value = hn::LoadU(d, s + i);
        const auto local = hn::LoadU(d, e + i);
        hn::StoreU(hn::Mul(local, signed_like(d, weight, value)), d, f + i);
        add(l1, d, hn::Mul(local, hn::Abs(value)));
    });
    return l1.total();
}

void first_difference_v(const float* a, const float* b, float* s, int n) {
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        hn::StoreU(hn::Sub(hn::LoadU(d, b + i), hn::LoadU(d, a + i)), d, s + i);
    });
}

void second_difference_v(const float* a, const float* b, const float* c, float* s, int n) {
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        const auto ends = hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, c + i));
        hn::StoreU(hn::NegMulAdd(hn::Set(d, 2.0F), hn::LoadU(d, b + i), ends), d, s + i);
    });
}

void add_laplacian_v(float c, float count, const float* p, const float* box, float* q, int n) {
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        const auto difference =
            hn::MulSub(hn::Set(d, count), hn::LoadU(d, p + i), hn::LoadU(d, box + i));
        hn::StoreU(hn::MulAdd(hn::Set(d, c), difference, hn::LoadU(d, q + i)), d, q + i);
    });
}

double edge_weight_v(float floor, float g0, const float* above, const float* here,
                     const float* below, const float* occlusion, float* e, int n) {
    Sum sum;
    const float scale = -0.25F / (g0 * g0);  // a central difference is twice the gradient
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        const auto gx = hn::Sub(hn::LoadU(d, here + i + 1), hn::LoadU(d, here + i - 1));
        const auto gy = hn::Sub(hn::LoadU(d, below + i), hn::LoadU(d, above + i));
        const auto g2 = hn::MulAdd(gx, gx, hn::Mul(gy, gy));
        auto w = hn::Exp(d, hn::Max(hn::Mul(hn::Set(d, scale), g2), hn::Set(d, -80.0F)));
        if (occlusion) w = hn::Mul(w, hn::LoadU(d, occlusion + i));
        const auto weight = hn::MulAdd(hn::Set(d, 1.0F - floor), w, hn::Set(d, floor));
        hn::StoreU(weight, d, e + i);
        add(sum, d, weight);
    });
    return sum.total();
}

}  // namespace plenosr::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plenosr::cpu {

HWY_EXPORT(prior_step_v);
HWY_EXPORT(prior_force_v);
HWY_EXPORT(data_step_v);
HWY_EXPORT(data_gradient_v);
HWY_EXPORT(prior_gradient_v);
HWY_EXPORT(first_difference_v);
HWY_EXPORT(second_difference_v);
HWY_EXPORT(add_laplacian_v);
HWY_EXPORT(edge_weight_v);

StepSums prior_step_row(const ProxStep& step, const float* s, const float* e_old, const float* e,
                        float* u, int n) {
    return HWY_DYNAMIC_DISPATCH(prior_step_v)(step, s, e_old, e, u, n);
}
void prior_force_row(float threshold, const float* s, const float* e, const float* u, float* f,
                     int n) {
    HWY_DYNAMIC_DISPATCH(prior_force_v)(threshold, s, e, u, f, n);
}
StepSums data_step(const ProxStep& step, float quadratic, float penalty, const float* y,
                   const float* m, float* u, float* ax, int n) {
    return HWY_DYNAMIC_DISPATCH(data_step_v)(step, quadratic, penalty, y, m, u, ax, n);
}
StepSums data_gradient(float lambda1, float quadratic, const float* y, const float* m, float* ax,
                       int n) {
    return HWY_DYNAMIC_DISPATCH(data_gradient_v)(lambda1, quadratic, y, m, ax, n);
}
double prior_gradient_row(float weight, const float* s, const float* e, float* f, int n) {
    return HWY_DYNAMIC_DISPATCH(prior_gradient_v)(weight, s, e, f, n);
}
void first_difference_row(const float* a, const float* b, float* s, int n) {
    HWY_DYNAMIC_DISPATCH(first_difference_v)(a, b, s, n);
}
void second_difference_row(const float* a, const float* b, const float* c, float* s, int n) {
    HWY_DYNAMIC_DISPATCH(second_difference_v)(a, b, c, s, n);
}
void add_scaled_laplacian_row(float c, float count, const float* p, const float* box, float* q,
                              int n) {
    HWY_DYNAMIC_DISPATCH(add_laplacian_v)(c, count, p, box, q, n);
}

double edge_weight_row(float floor, float g0, const float* above, const float* here,
                       const float* below, const float* occlusion, float* e, int n) {
    return HWY_DYNAMIC_DISPATCH(edge_weight_v)(floor, g0, above, here, below, occlusion, e, n);
}

}  // namespace plenosr::cpu
#endif
