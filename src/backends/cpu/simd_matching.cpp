#include "backends/cpu/simd_matching.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd_matching.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it re-includes this file once per instruction set.
#include <hwy/highway.h>

#include "backends/cpu/simd_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plenosr::cpu::HWY_NAMESPACE {

void shifted_row_v(const float* const* rows, const float* wy, const float* wx, float* scratch,
                   float* out, int n) {
    for_lanes(n + 3, [&](auto d, int x) HWY_ATTR {
        auto sum = hn::Mul(hn::Set(d, wy[0]), hn::LoadU(d, rows[0] + x));
        for (int j = 1; j < 4; ++j)
            sum = hn::MulAdd(hn::Set(d, wy[j]), hn::LoadU(d, rows[j] + x), sum);
        hn::StoreU(sum, d, scratch + x);
    });
    for_lanes(n, [&](auto d, int x) HWY_ATTR {
        auto sum = hn::Mul(hn::Set(d, wx[0]), hn::LoadU(d, scratch + x));
        for (int i = 1; i < 4; ++i)
            sum = hn::MulAdd(hn::Set(d, wx[i]), hn::LoadU(d, scratch + x + i), sum);
        hn::StoreU(sum, d, out + x);
    });
}

void absolute_loss_row_v(const float* const* rows, int count, const Exchanges& exchanges,
                         const Halves& halves, float tau, float* scratch, float* out, int n) {
    const float share = 1.0F / std::sqrt(float(count) * float(count - 1));
    for_lanes(n, [&](auto d, int x) HWY_ATTR {
        const int lanes = int(hn::Lanes(d));
        for (int k = 0; k < count; ++k)
            hn::StoreU(hn::LoadU(d, rows[k] + x), d, scratch + k * lanes);
        for (const auto& [low, high] : exchanges) {
            const auto a = hn::LoadU(d, scratch + low * lanes);
            const auto b = hn::LoadU(d, scratch + high * lanes);
            hn::StoreU(hn::Min(a, b), d, scratch + low * lanes);
            hn::StoreU(hn::Max(a, b), d, scratch + high * lanes);
        }
        auto median = hn::LoadU(d, scratch + (count / 2) * lanes);
        if (count % 2 == 0)
            median = hn::Mul(hn::Set(d, 0.5F),
                             hn::Add(median, hn::LoadU(d, scratch + (count / 2 - 1) * lanes)));
        const auto most = hn::Set(d, tau);
        auto sum = hn::Zero(d);
        // Both branches sum over the rows in the same order: a pixel's loss must not depend on
        // whether its neighbours may use halves.
        const auto allowed = halves.members == nullptr
                                 ? hn::Lt(median, median)
                                 : hn::Gt(hn::LoadU(d, halves.allowed + x), hn::Zero(d));
        if (halves.members == nullptr || hn::AllFalse(d, allowed)) {
            for (int k = 0; k < count; ++k)
                sum = hn::Add(sum, hn::Min(most, hn::AbsDiff(hn::LoadU(d, rows[k] + x), median)));
            hn::StoreU(hn::Mul(sum, hn::Set(d, share)), d, out + x);
            return;
        }
        decltype(sum) half[match_halves] = {sum, sum, sum, sum, sum, sum, sum, sum};
        for (int k = 0; k < count; ++k) {
            const auto e = hn::Min(most, hn::AbsDiff(hn::LoadU(d, rows[k] + x), median));
            const int in = halves.members[k];
            sum = hn::Add(sum, e);
            for (int h = 0; h < match_halves; ++h)
                if ((in >> h & 1) != 0) half[h] = hn::Add(half[h], e);
        }
        auto best = hn::Mul(half[0], hn::Set(d, halves.share[0]));
        for (int h = 1; h < match_halves; ++h)
            best = hn::Min(best, hn::Mul(half[h], hn::Set(d, halves.share[h])));
        const auto all = hn::Mul(sum, hn::Set(d, share));
        const auto half_loss = hn::Add(best, hn::Set(d, halves.extra));
        hn::StoreU(hn::IfThenElse(allowed, hn::Min(all, half_loss), all), d, out + x);
    });
}

void squared_loss_row_v(const float* const* rows, int count, float tau, float* out, int n) {
    for_lanes(n, [&](auto d, int x) HWY_ATTR {
        auto sum = hn::Zero(d);
        for (int k = 0; k < count; ++k)
            sum = hn::Add(sum, hn::LoadU(d, rows[k] + x));
        const auto plain = hn::Mul(sum, hn::Set(d, 1.0F / float(count)));
        // The mean of the values near the plain mean, or the plain mean if there are none.
        auto near = hn::Zero(d);
        auto many = hn::Zero(d);
        const auto reach = hn::Set(d, 2 * tau);
        for (int k = 0; k < count; ++k) {
            const auto value = hn::LoadU(d, rows[k] + x);
            const auto in = hn::Lt(hn::AbsDiff(value, plain), reach);
            near = hn::Add(near, hn::IfThenElseZero(in, value));
            many = hn::Add(many, hn::IfThenElseZero(in, hn::Set(d, 1.0F)));
        }
        const auto any = hn::Gt(many, hn::Zero(d));
        const auto mean =
            hn::IfThenElse(any, hn::Div(near, hn::Max(many, hn::Set(d, 1.0F))), plain);
        const auto most = hn::Set(d, tau * tau);
        sum = hn::Zero(d);
        for (int k = 0; k < count; ++k) {
            const auto e = hn::Sub(hn::LoadU(d, rows[k] + x), mean);
            sum = hn::Add(sum, hn::Min(most, hn::Mul(e, e)));
        }
        hn::StoreU(hn::Mul(sum, hn::Set(d, 1.0F / (float(count - 1) * tau))), d, out + x);
    });
}

std::uint16_t path_step_v(const std::uint16_t* from, std::uint16_t least, const std::uint16_t* cost,
                          std::uint16_t p1, std::uint16_t p2, std::uint16_t* to, std::uint16_t* sum,
                          int labels) {
    const hn::CappedTag<std::uint16_t, label_lanes> d;
    const int lanes = int(hn::Lanes(d));
    const auto first = hn::Set(d, least);
    const auto step = hn::Set(d, p1);
    const auto jump = hn::SaturatedAdd(first, hn::Set(d, p2));
    auto smallest = hn::Set(d, std::uint16_t(0xFFFF));
    for (int l = 0; l < labels; l += lanes) {
        const auto beside = hn::Min(hn::LoadU(d, from + l - 1), hn::LoadU(d, from + l + 1));
        auto best = hn::Min(hn::LoadU(d, from + l), hn::SaturatedAdd(beside, step));
        best = hn::Min(best, jump);
        const auto value = hn::SaturatedAdd(hn::LoadU(d, cost + l), hn::Sub(best, first));
        hn::StoreU(value, d, to + l);
        hn::StoreU(hn::SaturatedAdd(hn::LoadU(d, sum + l), value), d, sum + l);
        smallest = hn::Min(smallest, value);
    }
    std::uint16_t all[label_lanes];
    hn::StoreU(smallest, d, all);
    std::uint16_t result = all[0];
    for (int i = 1; i < lanes; ++i)
        result = all[i] < result ? all[i] : result;
    return result;
}

int float_lanes_v() {
    return int(hn::Lanes(D()));
}

}  // namespace plenosr::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plenosr::cpu {

HWY_EXPORT(shifted_row_v);
HWY_EXPORT(absolute_loss_row_v);
HWY_EXPORT(squared_loss_row_v);
HWY_EXPORT(path_step_v);
HWY_EXPORT(float_lanes_v);

void shifted_row(const float* const rows[4], const float wy[4], const float wx[4], float* scratch,
                 float* out, int n) {
    HWY_DYNAMIC_DISPATCH(shifted_row_v)(rows, wy, wx, scratch, out, n);
}
void absolute_loss_row(const float* const* rows, int count, const Exchanges& exchanges,
                       const Halves& halves, float tau, float* scratch, float* out, int n) {
    HWY_DYNAMIC_DISPATCH(absolute_loss_row_v)(rows, count, exchanges, halves, tau, scratch, out, n);
}
void squared_loss_row(const float* const* rows, int count, float tau, float* out, int n) {
    HWY_DYNAMIC_DISPATCH(squared_loss_row_v)(rows, count, tau, out, n);
}
std::uint16_t path_step(const std::uint16_t* from, std::uint16_t least, const std::uint16_t* cost,
                        std::uint16_t p1, std::uint16_t p2, std::uint16_t* to, std::uint16_t* sum,
                        int labels) {
    return HWY_DYNAMIC_DISPATCH(path_step_v)(from, least, cost, p1, p2, to, sum, labels);
}
std::size_t loss_scratch(int count) {
    return std::size_t(count) * std::size_t(HWY_DYNAMIC_DISPATCH(float_lanes_v)());
}

}  // namespace plenosr::cpu
#endif
