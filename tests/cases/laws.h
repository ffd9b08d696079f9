#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "cases/random_values.h"

namespace plenosr::test {

using Values = std::vector<float>;
using Map = std::function<Values(const Values&)>;

inline double dot(const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += double(a[i]) * double(b[i]);
    return sum;
}

inline double norm(const Values& a) {
    return std::sqrt(dot(a, a));
}

inline double relative_difference(const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double d = double(a[i]) - double(b[i]);
        sum += d * d;
    }
    return std::sqrt(sum) / std::max(1e-30, std::max(norm(a), norm(b)));
}

// |<A u, v> - <u, A' v>| / (|A u| |v|). (Relative to the inner product the test would fail where
// that is near zero.)
inline double adjoint_error(const Map& forward, const Map& adjoint, std::size_t from,
                            std::size_t to, std::uint64_t seed = 1) {
    RandomValues random(seed);
    const Values u = random.vector(from);
    const Values v = random.vector(to);
    const Values au = forward(u);
    const Values atv = adjoint(v);
    return std::abs(dot(au, v) - dot(u, atv)) / std::max(1e-30, norm(au) * norm(v));
}

// |A(a u + b v) - a A u - b A v|, relative
inline double linearity_error(const Map& forward, std::size_t from, std::uint64_t seed = 2) {
    RandomValues random(seed);
    const Values u = random.vector(from);
    const Values v = random.vector(from);
    Values mixed(from);
    for (std::size_t i = 0; i < from; ++i)
        mixed[i] = 2.0F * u[i] - 0.5F * v[i];
    const Values au = forward(u);
    const Values av = forward(v);
    Values expected(au.size());
    for (std::size_t i = 0; i < au.size(); ++i)
        expected[i] = 2.0F * au[i] - 0.5F * av[i];
    return relative_difference(forward(mixed), expected);
}

}  // namespace plenosr::test
