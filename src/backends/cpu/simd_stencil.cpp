#include "backends/cpu/simd_stencil.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/simd_stencil.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it re-includes this file once per instruction set.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "backends/cpu/simd_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plenosr::cpu::HWY_NAMESPACE {

using D4 = hn::FixedTag<float, 4>;
using V4 = hn::Vec<D4>;
using Coefficient = hwy::float16_t;

HWY_INLINE V load(const float* p) {
    return hn::LoadU(D(), p);
}
HWY_INLINE V load(const Coefficient* p) {
    const hn::Rebind<hwy::float16_t, D> half;
    return hn::PromoteTo(D(), hn::LoadU(half, p));
}
HWY_INLINE void store4(V4 v, Coefficient* p) {
    const hn::Rebind<hwy::float16_t, D4> half;
    hn::StoreU(hn::DemoteTo(half, v), half, p);
}

void emit_v(const float* slots, const StencilView<Coefficient>& stencil, int row) {
    const D4 d;
    const int radius = stencil.taps - 1;
    const int per_pixel = stencil.taps * (2 * stencil.taps - 1);
    const int neighbours = stencil_neighbours(stencil.taps);
    Coefficient* out = stencil.neighbour(row, 0);
    // The row buffer and the coefficients are padded to whole groups of four pixels.
    for (int x = 0; x < stencil.width; x += 4) {
        const float* p = slots + std::int64_t(x) * per_pixel;
        for (int slot = 0; slot < per_pixel; slot += 4) {
            const V4 a = hn::LoadU(d, p + slot);
            const V4 b = hn::LoadU(d, p + per_pixel + slot);
            const V4 c = hn::LoadU(d, p + 2 * per_pixel + slot);
            const V4 e = hn::LoadU(d, p + 3 * per_pixel + slot);
            const V4 ab_low = hn::InterleaveLower(d, a, b);
            const V4 ce_low = hn::InterleaveLower(d, c, e);
            const V4 ab_high = hn::InterleaveUpper(d, a, b);
            const V4 ce_high = hn::InterleaveUpper(d, c, e);
            const V4 column[4] = {hn::ConcatLowerLower(d, ce_low, ab_low),
                                  hn::ConcatUpperUpper(d, ce_low, ab_low),
                                  hn::ConcatLowerLower(d, ce_high, ab_high),
                                  hn::ConcatUpperUpper(d, ce_high, ab_high)};
            for (int i = 0; i < 4; ++i) {
                const int k = slot + i - radius;
                if (k >= 0 && k < neighbours)
                    store4(column[i], out + k * stencil.neighbour_stride + x);
            }
        }
    }
}

// Two vectors side by side: enough independent sums to hide the latency of the additions.
constexpr int kUnroll = 2;

// A row's coefficients lie in 25 short runs, one per neighbour: too short for the hardware
// prefetcher. Each run therefore prefetches the same place of the next row: a third faster.
HWY_INLINE void fetch_next_row(const Coefficient* c, std::int64_t row_stride) {
    hwy::Prefetch(c + row_stride);
}

// upper[x] += sum_dx c_dx(x) t_lower(x + dx)             (this row looks down)
// lower[x] (+)= sum_dx c_dx(x - dx) t_upper(x - dx)      (the row below looks up)
// The coefficients of this row serve both halves while they are in the first-level cache.
template <int R, bool kUpper, bool kLower, bool kFirst>
HWY_INLINE void couple_rows(const Coefficient* c, std::int64_t neighbour_stride,
                            std::int64_t row_stride, const float* t_upper, const float* t_lower,
                            float* upper, float* lower, int begin, int end) {
    const D d;
    const int lanes = int(hn::Lanes(d));
    for (int x = begin; x < end; x += kUnroll * lanes) {
        V up[kUnroll];
        V down[kUnroll];
        for (int i = 0; i < kUnroll; ++i) {
            up[i] = kUpper ? load(upper + x + i * lanes) : hn::Zero(d);
            down[i] = kLower && !kFirst ? load(lower + x + i * lanes) : hn::Zero(d);
        }
        for (int dx = -R; dx <= R; ++dx) {
            const Coefficient* run = c + dx * neighbour_stride + x;
            fetch_next_row(run, row_stride);
            for (int i = 0; i < kUnroll; ++i) {
                const int at = i * lanes;
                if (kUpper) up[i] = hn::MulAdd(load(run + at), load(t_lower + x + at + dx), up[i]);
                if (kLower)
                    down[i] = hn::MulAdd(load(run + at - dx), load(t_upper + x + at - dx), down[i]);
            }
        }
        for (int i = 0; i < kUnroll; ++i) {
            if (kUpper) hn::StoreU(up[i], d, upper + x + i * lanes);
            if (kLower) hn::StoreU(down[i], d, lower + x + i * lanes);
        }
    }
}

// out[x] += c_0(x) t(x) + sum_{dx > 0} c_dx(x) t(x + dx) + c_dx(x - dx) t(x - dx)
template <int R>
HWY_INLINE void couple_within(const Coefficient* c, std::int64_t neighbour_stride,
                              std::int64_t row_stride, const float* t, float* out, int begin,
                              int end) {
    const D d;
    const int lanes = int(hn::Lanes(d));
    for (int x = begin; x < end; x += lanes) {
        V right = hn::MulAdd(load(c + x), load(t + x), load(out + x));
        V left = hn::Zero(d);
        fetch_next_row(c + x, row_stride);
        for (int dx = 1; dx <= R; ++dx) {
            const Coefficient* run = c + dx * neighbour_stride + x;
            fetch_next_row(run, row_stride);
            right = hn::MulAdd(load(run), load(t + x + dx), right);
            left = hn::MulAdd(load(run - dx), load(t + x - dx), left);
        }
        hn::StoreU(hn::Add(right, left), d, out + x);
    }
}

template <int R>
HWY_INLINE void apply_rows(const StencilView<const Coefficient>& s, const PaddedImage& in,
                           PaddedImage& out, int begin, int end) {
    constexpr int block = 512;  // columns: one row of coefficients stays in the first-level cache
    const int group = kUnroll * int(hn::Lanes(D()));
    const int width = (s.width + group - 1) / group * group;
    const std::int64_t ns = s.neighbour_stride;
    const std::int64_t rs = s.row_stride;
    // Rows above the range only feed their lower neighbours. Each output row starts with the
    // contribution of row - R, so its sum has the same order for all ranges.
    for (int y = begin - R; y < end; ++y) {
        if (y < 0) {
            if (y + R < end) std::memset(out.row(y + R), 0, std::size_t(width) * sizeof(float));
            continue;
        }
        for (int x0 = 0; x0 < width; x0 += block) {
            const int x1 = std::min(width, x0 + block);
            for (int dy = R; dy >= 1; --dy) {
                const bool upper = y >= begin;
                const bool lower = y + dy >= begin && y + dy < end;
                const Coefficient* c = s.neighbour(y, dy * (2 * R + 1));
                const float* tu = in.row(y);
                const float* tl = in.row(y + dy);
                float* ou = out.row(y);
                float* ol = out.row(y + dy);
                if (upper && lower && dy == R)
                    couple_rows<R, true, true, true>(c, ns, rs, tu, tl, ou, ol, x0, x1);
                else if (upper && lower)
                    couple_rows<R, true, true, false>(c, ns, rs, tu, tl, ou, ol, x0, x1);
                else if (upper)
                    couple_rows<R, true, false, false>(c, ns, rs, tu, tl, ou, ol, x0, x1);
                else if (lower && dy == R)
                    couple_rows<R, false, true, true>(c, ns, rs, tu, tl, ou, ol, x0, x1);
                else if (lower)
                    couple_rows<R, false, true, false>(c, ns, rs, tu, tl, ou, ol, x0, x1);
            }
            if (y >= begin)
                couple_within<R>(s.neighbour(y, 0), ns, rs, in.row(y), out.row(y), x0, x1);
        }
    }
}

void apply_v(const StencilView<const Coefficient>& s, const PaddedImage& in, PaddedImage& out,
             int begin, int end) {
    if (s.taps == 4)
        apply_rows<3>(s, in, out, begin, end);
    else
        apply_rows<1>(s, in, out, begin, end);
}

}  // namespace plenosr::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plenosr::cpu {

HWY_EXPORT(emit_v);
HWY_EXPORT(apply_v);

void emit_stencil_row(const float* slots, const StencilView<hwy::float16_t>& stencil, int row) {
    HWY_DYNAMIC_DISPATCH(emit_v)(slots, stencil, row);
}
void apply_stencil(const StencilView<const hwy::float16_t>& stencil, const PaddedImage& in,
                   PaddedImage& out, int begin, int end) {
    HWY_DYNAMIC_DISPATCH(apply_v)(stencil, in, out, begin, end);
}

}  // namespace plenosr::cpu
#endif
