#include "backends/cpu/simd_mixture.h"

#include "kernels/pixel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd_mixture.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it re-includes this file once per instruction set.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "backends/cpu/simd_sum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plenosr::cpu::HWY_NAMESPACE {

// For a clipped sample with a = (distance of its mean beyond the limit) / sigma: the probability
// Phi(a) of clipping, and phi(a) / Phi(a).
template <class Dd, class Vv = hn::Vec<Dd>>
struct Clipped {
    Vv probability;
    Vv ratio;
};

template <class Dd, class Vv = hn::Vec<Dd>>
HWY_INLINE Clipped<Dd> clipped(Dd d, Vv a) {
    static constexpr float terms[PLENOSR_ERFCX_TERMS] = {PLENOSR_ERFCX_COEFFICIENTS};
    const auto one = hn::Set(d, 1.0F);
    const auto x = hn::Mul(hn::Set(d, 0.70710678F), hn::Abs(a));
    const auto q = hn::Div(one, hn::MulAdd(hn::Set(d, 0.5F), x, one));
    auto sum = hn::Set(d, terms[PLENOSR_ERFCX_TERMS - 1]);
    for (int k = PLENOSR_ERFCX_TERMS - 2; k >= 0; --k)
        sum = hn::MulAdd(sum, q, hn::Set(d, terms[k]));
    const auto erfcx = hn::Mul(q, hn::Exp(d, sum));
    const auto bell = hn::Exp(d, hn::Max(hn::Neg(hn::Mul(x, x)), hn::Set(d, -80.0F)));
    const auto tail = hn::Mul(hn::Set(d, 0.5F), hn::Mul(bell, erfcx));  // Phi(-|a|)
    const auto body = hn::Sub(one, tail);
    const auto below = hn::Lt(a, hn::Zero(d));
    return {hn::IfThenElse(below, tail, body),
            hn::IfThenElse(below, hn::Div(hn::Set(d, 0.79788456F), erfcx),
                           hn::Div(hn::Mul(hn::Set(d, 0.39894228F), bell), body))};
}

// v = sigma^2 + gain max(t, 0)
template <class Dd, class Vv = hn::Vec<Dd>>
HWY_INLINE Vv variance(Dd d, const MixtureStep& step, Vv t) {
    return hn::MulAdd(hn::Set(d, step.gain), hn::Max(t, hn::Zero(d)),
                      hn::Set(d, step.sigma * step.sigma));
}

MixtureRunSums mixture_step_v(const MixtureStep& step, const float* y, const float* m, float* ax,
                              int n) {
    Sum cost;
    Sum weight;
    Sum trusted;
    const float constant = 1.0F / step.sigma;
    const float gaussian = 1.0F - step.impulses;
    const float impulse = 0.5F * step.impulses;  // of one limit
    const float c = step.robust;
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        const auto t = hn::LoadU(d, ax + i);
        const auto value = hn::LoadU(d, y + i);
        const auto visible = hn::LoadU(d, m + i);
        const auto one = hn::Set(d, 1.0F);
        auto inverse = hn::Set(d, constant);  // 1 / sigma
        if (step.gain > 0.0F) inverse = hn::Div(one, hn::Sqrt(variance(d, step, t)));
        // s = (yhat - t) / sigma; inside the limits yhat = y, omega = 1
        auto s = hn::Mul(hn::Sub(value, t), inverse);
        auto omega = one;
        const auto size = hn::Abs(s);
        const auto near = hn::Min(size, hn::Set(d, c));
        auto penalty = hn::Mul(near, hn::Sub(size, hn::Mul(hn::Set(d, 0.5F), near)));  // Huber's
        auto square = hn::Sub(hn::Mul(near, size), hn::Set(d, step.kappa));  // h s^2 - kappa
        if (step.gain > 0.0F)
            penalty = hn::Sub(penalty, hn::Mul(hn::Set(d, step.kappa), hn::Log(d, inverse)));
        const auto at_low = hn::Le(value, hn::Set(d, step.low + step.slack));
        const auto at_high = hn::Ge(value, hn::Set(d, step.high - step.slack));
        const auto at_limit = hn::Or(at_low, at_high);
        if (!hn::AllFalse(d, at_limit)) {
            const auto sign = hn::IfThenElse(at_low, hn::Set(d, -1.0F), one);
            const auto limit =
                hn::IfThenElse(at_low, hn::Set(d, step.low + 0.5F), hn::Set(d, step.high - 0.5F));
            const auto a = hn::Mul(hn::Mul(sign, hn::Sub(t, limit)), inverse);
            const auto tail = clipped(d, a);
            // the bound prevents 0 / 0 in omega if there are no impulses
            const auto likely =
                hn::Mul(hn::Set(d, gaussian), hn::Max(tail.probability, hn::Set(d, 1e-30F)));
            const auto either = hn::Add(likely, hn::Set(d, impulse));
            s = hn::IfThenElse(at_limit, hn::Mul(sign, tail.ratio), s);
            omega = hn::IfThenElse(at_limit, hn::Div(likely, either), one);
            penalty = hn::IfThenElse(at_limit, hn::Neg(hn::Log(d, either)), penalty);
            const auto ratio = hn::Max(tail.ratio, hn::Set(d, 1e-6F));
            const auto h = hn::Min(one, hn::Div(hn::Set(d, c), ratio));
            square = hn::IfThenElse(at_limit, hn::Neg(hn::Mul(h, hn::Mul(a, tail.ratio))), square);
        }
        const auto huber =
            hn::Min(one, hn::Div(hn::Set(d, c), hn::Max(hn::Abs(s), hn::Set(d, 1e-6F))));
        const auto trust = hn::Mul(visible, hn::Mul(omega, huber));
        auto slope = hn::Mul(trust, hn::Mul(s, inverse));
        if (step.gain > 0.0F) {
            const auto half = hn::Set(d, 0.5F * step.gain);
            const auto growth = hn::IfThenElseZero(hn::Gt(t, hn::Zero(d)), half);
            const auto of_variance = hn::Mul(growth, hn::Mul(hn::Mul(inverse, inverse), square));
            slope = hn::MulAdd(hn::Mul(visible, omega), of_variance, slope);
        }
        hn::StoreU(hn::Neg(slope), d, ax + i);
        add(cost, d, hn::Mul(visible, penalty));
        add(weight, d, visible);
        add(trusted, d, trust);
    });
    return {cost.total(), weight.total(), trusted.total()};
}

void curvature_run_v(const MixtureStep& step, const float* m, const float* t, float* c, int n) {
    for_lanes(n, [&](auto d, int i) HWY_ATTR {
        const auto one = hn::Set(d, 1.0F);
        const auto mean = hn::LoadU(d, t + i);
        const auto precision = hn::Div(one, variance(d, step, mean));
        const auto growth =
            hn::IfThenElseZero(hn::Gt(mean, hn::Zero(d)), hn::Set(d, 0.5F * step.gain * step.gain));
        hn::StoreU(
            hn::Mul(hn::LoadU(d, m + i), hn::Mul(precision, hn::MulAdd(growth, precision, one))), d,
            c + i);
    });
}

}  // namespace plenosr::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plenosr::cpu {

HWY_EXPORT(mixture_step_v);
HWY_EXPORT(curvature_run_v);

MixtureRunSums mixture_step(const MixtureStep& step, const float* y, const float* m, float* ax,
                            int n) {
    return HWY_DYNAMIC_DISPATCH(mixture_step_v)(step, y, m, ax, n);
}

void curvature_run(const MixtureStep& step, const float* m, const float* t, float* c, int n) {
    HWY_DYNAMIC_DISPATCH(curvature_run_v)(step, m, t, c, n);
}

}  // namespace plenosr::cpu
#endif
