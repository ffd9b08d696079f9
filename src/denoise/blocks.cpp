#include "denoise/blocks.h"

#include <array>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "denoise/blocks.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it re-includes this file once per instruction set.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#ifndef PLENOSR_DENOISE_COSINES
#define PLENOSR_DENOISE_COSINES
namespace plenosr {
// Row i of the orthonormal cosine transform, and its transpose.
struct Cosines {
    alignas(64) std::array<float, block_area> rows{};
    alignas(64) std::array<float, block_area> columns{};
    Cosines() {
        const double pi = std::acos(-1.0);
        for (std::size_t i = 0; i < block; ++i)
            for (std::size_t k = 0; k < block; ++k) {
                const double norm = i == 0 ? std::sqrt(1.0 / block) : std::sqrt(2.0 / block);
                const double c = norm * std::cos(pi * double(2 * k + 1) * double(i) / (2 * block));
                rows[i * block + k] = float(c);
                columns[k * block + i] = float(c);
            }
    }
};
inline const Cosines& cosines() {
    static const Cosines table;
    return table;
}
}  // namespace plenosr
#endif

HWY_BEFORE_NAMESPACE();
namespace plenosr::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D8 = hn::CappedTag<float, block>;
using V8 = hn::Vec<D8>;

void square_differences_v(const float* a, const float* b, std::ptrdiff_t stride, int groups,
                          float* sums) {
    const hn::CappedTag<float, 4> d;
    for (int i = 0; i < groups; ++i, a += 4, b += 4) {
        auto sum = hn::Zero(d);
        for (int row = 0; row < 4; ++row) {
            const auto difference =
                hn::Sub(hn::LoadU(d, a + row * stride), hn::LoadU(d, b + row * stride));
            sum = hn::MulAdd(difference, difference, sum);
        }
        sums[i] += hn::GetLane(hn::SumOfLanes(d, sum));
    }
}

// out <- (c in)', c and in 8 x 8
HWY_INLINE void multiply_transposed(const float* c, const float* in, std::ptrdiff_t stride,
                                    float* out) {
    const D8 d;
    const int lanes = int(hn::Lanes(d));
    alignas(64) float product[block_area];
    for (int j = 0; j < block; j += lanes)
        for (int i = 0; i < block; ++i) {
            auto sum = hn::Mul(hn::Set(d, c[i * block]), hn::LoadU(d, in + j));
            for (int k = 1; k < block; ++k)
                sum = hn::MulAdd(hn::Set(d, c[i * block + k]), hn::LoadU(d, in + k * stride + j),
                                 sum);
            hn::Store(sum, d, product + i * block + j);
        }
    for (int i = 0; i < block; ++i)
        for (int j = 0; j < block; ++j)
            out[j * block + i] = product[i * block + j];
}

// C in C' = ((C (C in)'))'
void cosine_v(const float* c, const float* in, std::ptrdiff_t stride, float* out) {
    alignas(64) float half[block_area];
    multiply_transposed(c, in, stride, half);
    multiply_transposed(c, half, block, out);
}

HWY_INLINE void hadamard(float* stack, int n) {
    const D8 d;
    const int lanes = int(hn::Lanes(d));
    for (int h = 1; h < n; h *= 2)
        for (int i = 0; i < n; i += 2 * h)
            for (int j = i; j < i + h; ++j)
                for (int k = 0; k < block_area; k += lanes) {
                    float* p = stack + j * block_area + k;
                    float* q = p + h * block_area;
                    const auto a = hn::Load(d, p);
                    const auto b = hn::Load(d, q);
                    hn::Store(hn::Add(a, b), d, p);
                    hn::Store(hn::Sub(a, b), d, q);
                }
}

// The Walsh-Hadamard transforms are not scaled: applied twice they give n times the identity, and
// coefficients are sqrt(n) times the orthonormal ones. Thresholds and variances are scaled to
// match.
float threshold_v(float* stack, int n, float threshold) {
    const D8 d;
    const int lanes = int(hn::Lanes(d));
    hadamard(stack, n);
    const float first = stack[0];  // the mean is never set to zero
    const auto limit = hn::Set(d, threshold * std::sqrt(float(n)));
    const auto scale = hn::Set(d, 1.0F / float(n));
    auto kept = hn::Zero(d);
    for (int k = 0; k < n * block_area; k += lanes) {
        const auto v = hn::Load(d, stack + k);
        const auto keep = hn::Ge(hn::Abs(v), limit);
        hn::Store(hn::IfThenElseZero(keep, hn::Mul(v, scale)), d, stack + k);
        kept = hn::Add(kept, hn::IfThenElseZero(keep, hn::Set(d, 1.0F)));
    }
    if (stack[0] == 0.0F) stack[0] = first / float(n);
    hadamard(stack, n);
    return hn::GetLane(hn::SumOfLanes(d, kept));
}

float guide_v(float* stack, float* guide, int n, float variance) {
    const D8 d;
    const int lanes = int(hn::Lanes(d));
    hadamard(stack, n);
    hadamard(guide, n);
    const auto noise = hn::Set(d, variance * float(n));
    const auto scale = hn::Set(d, 1.0F / float(n));
    auto left = hn::Zero(d);
    for (int k = 0; k < n * block_area; k += lanes) {
        const auto g = hn::Load(d, guide + k);
        const auto power = hn::Mul(g, g);
        const auto factor = hn::Div(power, hn::Add(power, noise));
        hn::Store(hn::Mul(hn::Mul(factor, scale), hn::Load(d, stack + k)), d, stack + k);
        left = hn::MulAdd(factor, factor, left);
    }
    hadamard(stack, n);
    return hn::GetLane(hn::SumOfLanes(d, left));
}

void add_block_v(const float* values, float w, float* sum, float* weight, std::ptrdiff_t stride) {
    const D8 d;
    const int lanes = int(hn::Lanes(d));
    const auto factor = hn::Set(d, w);
    for (int y = 0; y < block; ++y)
        for (int x = 0; x < block; x += lanes) {
            float* s = sum + y * stride + x;
            float* t = weight + y * stride + x;
            hn::StoreU(hn::MulAdd(factor, hn::Load(d, values + y * block + x), hn::LoadU(d, s)), d,
                       s);
            hn::StoreU(hn::Add(factor, hn::LoadU(d, t)), d, t);
        }
}

void weighted_row_v(const float* distance, float scale, const float* v, float* weighted,
                    float* weights, int n) {
    const auto one = [&](auto d, int i) HWY_ATTR {
        const auto exponent = hn::Mul(hn::Set(d, -scale), hn::LoadU(d, distance + i));
        const auto e = hn::Exp(d, hn::Max(exponent, hn::Set(d, -80.0F)));
        hn::StoreU(hn::MulAdd(e, hn::LoadU(d, v + i), hn::LoadU(d, weighted + i)), d, weighted + i);
        hn::StoreU(hn::Add(e, hn::LoadU(d, weights + i)), d, weights + i);
    };
    const hn::ScalableTag<float> d;
    const int lanes = int(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= n; i += lanes)
        one(d, i);
    for (; i < n; ++i)
        one(hn::CappedTag<float, 1>(), i);
}

}  // namespace plenosr::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plenosr {

HWY_EXPORT(square_differences_v);
HWY_EXPORT(cosine_v);
HWY_EXPORT(threshold_v);
HWY_EXPORT(guide_v);
HWY_EXPORT(add_block_v);
HWY_EXPORT(weighted_row_v);

void add_square_differences(const float* a, const float* b, std::ptrdiff_t stride, int groups,
                            float* sums) {
    HWY_DYNAMIC_DISPATCH(square_differences_v)(a, b, stride, groups, sums);
}
const std::array<float, block_area>& cosine_rows() {
    return cosines().rows;
}
void cosine_transform(const float* in, std::ptrdiff_t stride, float* out) {
    HWY_DYNAMIC_DISPATCH(cosine_v)(cosines().rows.data(), in, stride, out);
}
void inverse_cosine_transform(const float* in, float* out) {
    HWY_DYNAMIC_DISPATCH(cosine_v)(cosines().columns.data(), in, block, out);
}
float filter_by_threshold(float* stack, int n, float threshold) {
    return HWY_DYNAMIC_DISPATCH(threshold_v)(stack, n, threshold);
}
float filter_by_guide(float* stack, float* guide, int n, float variance) {
    return HWY_DYNAMIC_DISPATCH(guide_v)(stack, guide, n, variance);
}
void add_block(const float* values, float w, float* sum, float* weight, std::ptrdiff_t stride) {
    HWY_DYNAMIC_DISPATCH(add_block_v)(values, w, sum, weight, stride);
}
void add_weighted_row(const float* distance, float scale, const float* v, float* weighted,
                      float* weights, int n) {
    HWY_DYNAMIC_DISPATCH(weighted_row_v)(distance, scale, v, weighted, weights, n);
}

}  // namespace plenosr
#endif
