#include "disparity/weighted_median.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "disparity/weighted_median.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h comes first: it re-includes this file once per instruction set.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plenosr::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 8>;
using V = hn::Vec<D>;

constexpr float infinity = std::numeric_limits<float>::infinity();

// The values up to a threshold, and the one above it.
struct Division {
    float weight;  // of the values up to the threshold
    float below;   // the largest of them
    float above;   // the smallest value above the threshold
};

HWY_INLINE Division divide(const float* values, const float* weights, std::size_t n,
                           float threshold) {
    const D d;
    const V limit = hn::Set(d, threshold);
    V weight = hn::Zero(d);
    V below = hn::Set(d, -infinity);
    V above = hn::Set(d, infinity);
    for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
        const V value = hn::LoadU(d, values + i);
        const auto is_below = hn::Le(value, limit);
        weight = hn::Add(weight, hn::IfThenElseZero(is_below, hn::LoadU(d, weights + i)));
        below = hn::Max(below, hn::IfThenElse(is_below, value, hn::Set(d, -infinity)));
        above = hn::Min(above, hn::IfThenElse(is_below, hn::Set(d, infinity), value));
    }
    return {hn::GetLane(hn::SumOfLanes(d, weight)), hn::GetLane(hn::MaxOfLanes(d, below)),
            hn::GetLane(hn::MinOfLanes(d, above))};
}

// The smallest value up to which the entries have half of the weight exp(-distance), by bisection.
// Replaces the distances by the weights. Both arrays have n entries and room for whole vectors.
float weighted_median_v(float* values, float* distances, std::size_t n) {
    const D d;
    for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
        const V distance = hn::LoadU(d, distances + i);
        hn::StoreU(hn::Exp(d, hn::Max(hn::Neg(distance), hn::Set(d, -80.0F))), d, distances + i);
    }
    std::size_t padded = n;
    for (; padded % hn::Lanes(d) != 0; ++padded) {
        values[padded] = values[0];
        distances[padded] = 0;
    }
    const Division all = divide(values, distances, padded, infinity);
    float lo = divide(values, distances, padded, -infinity).above;
    float hi = all.below;
    while (lo < hi) {
        float middle = lo + (hi - lo) / 2;
        if (!(middle < hi)) middle = lo;
        const Division at = divide(values, distances, padded, middle);
        if (2 * at.weight >= all.weight)
            hi = at.below;
        else
            lo = at.above;
    }
    return hi;
}

}  // namespace plenosr::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plenosr {

HWY_EXPORT(weighted_median_v);

Image weighted_median(const Image& map, const Image& guide, int radius, double edge) {
    Image result(map.width, map.height);
    const float scale = float(1 / edge);
    constexpr std::size_t room = 8;  // for whole vectors
    tbb::parallel_for(0, map.height, [&](int y) {
        const std::size_t side = std::size_t(2 * radius + 1);
        std::vector<float> values(side * side + room);
        std::vector<float> distances(values.size());
        const int top = std::max(0, y - radius);
        const int bottom = std::min(map.height - 1, y + radius);
        for (int x = 0; x < map.width; ++x) {
            const float here = guide.at(y, x);
            const int left = std::max(0, x - radius);
            const int right = std::min(map.width - 1, x + radius);
            std::size_t n = 0;
            for (int j = top; j <= bottom; ++j) {
                const float* value = map.values.data() + map.index(j, left);
                const float* g = guide.values.data() + guide.index(j, left);
                for (int i = 0; i <= right - left; ++i, ++n) {
                    values[n] = value[i];
                    distances[n] = scale * std::abs(g[i] - here);
                }
            }
            result.at(y, x) =
                HWY_DYNAMIC_DISPATCH(weighted_median_v)(values.data(), distances.data(), n);
        }
    });
    return result;
}

}  // namespace plenosr
#endif
