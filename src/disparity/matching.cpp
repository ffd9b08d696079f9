#include "disparity/matching.h"

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "kernels/pixel.h"
#include "kernels/rounding.h"

namespace plenosr {

double baseline_of(const std::vector<MatchDesc::Offset>& offsets) {
    double baseline = 0;
    for (const MatchDesc::Offset& o : offsets)
        baseline = std::max({baseline, std::abs(o.u), std::abs(o.v)});
    return baseline;
}

std::uint8_t halves_of(const MatchDesc::Offset& o) {
    const double along[match_halves] = {o.u,       -o.u,       o.v,       -o.v,
                                        o.u + o.v, -o.u - o.v, o.u - o.v, o.v - o.u};
    std::uint8_t halves = 0;
    for (int h = 0; h < match_halves; ++h)
        if (along[h] <= 0) halves = std::uint8_t(halves | 1 << h);
    return halves;
}

MatchPlace match_place(const MatchDesc::Offset& o, double d, int width, int height) {
    constexpr double far_outside = 1e6;  // pixels: no view reaches that far, and int holds it
    const double sx = std::clamp(-o.u * d, -far_outside, far_outside);
    const double sy = std::clamp(-o.v * d, -far_outside, far_outside);
    MatchPlace place;
    place.x = floor_to_int(sx);
    place.y = floor_to_int(sy);
    cubic_weights(float(sx - place.x), place.wx);
    cubic_weights(float(sy - place.y), place.wy);
    place.left = std::max(0, int(std::ceil(-0.5 - sx)));
    place.right = std::min(width, floor_to_int(width - 0.5 - sx) + 1);
    place.top = std::max(0, int(std::ceil(-0.5 - sy)));
    place.bottom = std::min(height, floor_to_int(height - 0.5 - sy) + 1);
    return place;
}

JumpCosts jump_costs(const MatchDesc& desc, std::vector<float>& contrasts) {
    const double typical = std::max(1.0, double(upper_median(contrasts)));
    JumpCosts jump;
    jump.small = std::clamp(int(desc.small_jump * typical + 0.5), 1, match_levels);
    jump.large = std::clamp(int(desc.large_jump * typical + 0.5), jump.small, match_levels);
    jump.edge = desc.edge;
    return jump;
}

Exchanges median_exchanges(int n, bool both_middles) {
    // Batcher's merge exchange sort for any n (Knuth, 5.2.2 M).
    Exchanges all;
    int t = 0;
    while ((1 << t) < n)
        ++t;
    for (int p = t > 0 ? 1 << (t - 1) : 0; p > 0; p /= 2) {
        int q = 1 << (t - 1);
        int r = 0;
        for (int d = p;; d = q - p, q /= 2, r = p) {
            for (int i = 0; i + d < n; ++i)
                if ((i & p) == r) all.emplace_back(std::uint16_t(i), std::uint16_t(i + d));
            if (q == p) break;
        }
    }
    // Keep only the exchanges that the middle depends on.
    std::vector<bool> needed(std::size_t(n), false);
    needed[std::size_t(n / 2)] = true;
    if (n > 1 && (both_middles || n % 2 == 0)) needed[std::size_t(n / 2 - 1)] = true;
    Exchanges kept;
    for (auto e = all.rbegin(); e != all.rend(); ++e)
        if (needed[e->first] || needed[e->second]) {
            needed[e->first] = needed[e->second] = true;
            kept.push_back(*e);
        }
    return {kept.rbegin(), kept.rend()};
}

}  // namespace plenosr
