// Compiled for this machine, without the instruction sets that the engine does not use.
#include "machine_kernels.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plenosr::bench {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr int chains = 12;  // more than latency times throughput of any current core

}  // namespace

void triad(const float* b, const float* c, float* a, std::size_t n) {
    const D d;
    const V three = hn::Set(d, 3.0F);
    for (std::size_t i = 0; i + hn::Lanes(d) <= n; i += hn::Lanes(d))
        hn::StoreU(hn::MulAdd(three, hn::LoadU(d, c + i), hn::LoadU(d, b + i)), d, a + i);
}

float read_all(const float* a, std::size_t n) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    V s0 = hn::Zero(d);
    V s1 = hn::Zero(d);
    V s2 = hn::Zero(d);
    V s3 = hn::Zero(d);
    for (std::size_t i = 0; i + 4 * lanes <= n; i += 4 * lanes) {
        s0 = hn::Add(s0, hn::LoadU(d, a + i));
        s1 = hn::Add(s1, hn::LoadU(d, a + i + lanes));
        s2 = hn::Add(s2, hn::LoadU(d, a + i + 2 * lanes));
        s3 = hn::Add(s3, hn::LoadU(d, a + i + 3 * lanes));
    }
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

float multiply_add(int rounds) {
    const D d;
    const V a = hn::Set(d, 0.999F);
    const V b = hn::Set(d, 0.001F);
    V s[chains];
    for (int k = 0; k < chains; ++k)
        s[k] = hn::Set(d, float(k));
    for (int i = 0; i < rounds; ++i)
        for (int k = 0; k < chains; ++k)
            s[k] = hn::MulAdd(s[k], a, b);
    for (int k = 1; k < chains; ++k)
        s[0] = hn::Add(s[0], s[k]);
    return hn::GetLane(hn::SumOfLanes(d, s[0]));
}

int fma_per_round() {
    return chains * int(hn::Lanes(D()));
}

}  // namespace plenosr::bench
HWY_AFTER_NAMESPACE();
