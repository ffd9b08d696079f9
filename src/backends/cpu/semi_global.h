#pragma once

#include <cstdint>
#include <vector>

#include "backends/cpu/parallel.h"
#include "disparity/matching.h"
#include "plenosr/image.h"

namespace plenosr::cpu {

// Integer costs, with all labels of a pixel side by side. `stride` is a multiple of label_lanes;
// labels beyond the last have unreachable_cost.
struct CostVolume {
    int width = 0;
    int height = 0;
    int labels = 0;
    int stride = 0;
    std::vector<std::uint16_t> costs;

    CostVolume(int w, int h, int l);
    static std::size_t bytes(int w, int h, int l);
    std::uint16_t* at(int y, int x) {
        return costs.data() +
               (std::size_t(y) * std::size_t(width) + std::size_t(x)) * std::size_t(stride);
    }
    const std::uint16_t* at(int y, int x) const { return const_cast<CostVolume*>(this)->at(y, x); }
};

inline constexpr std::uint16_t unreachable_cost = 0x7FFF;

// S of the costs C (JumpCosts).
CostVolume semi_global_matching(const CostVolume& costs, const Image& guide, const JumpCosts& jump,
                                const Parallel& parallel);

}  // namespace plenosr::cpu
