#include "backends/cpu/semi_global.h"

#include <algorithm>
#include <cmath>

#include "backends/cpu/simd_matching.h"
#include "kernels/parameters.h"

namespace plenosr::cpu {
namespace {

constexpr int paths_at_once = 3;

// L_r of a line of pixels. The cells on both sides of a pixel's labels hold the largest number.
class PathLine {
public:
    PathLine(int pixels, int stride)
        : step_(std::size_t(stride) + 2 * guard),
          values_(std::size_t(pixels) * step_, 0xFFFF),
          least_(std::size_t(pixels), 0) {}
    std::uint16_t* at(int i) { return values_.data() + std::size_t(i) * step_ + guard; }
    std::uint16_t& least(int i) { return least_[std::size_t(i)]; }

private:
    static constexpr std::size_t guard = 8;
    std::size_t step_;
    std::vector<std::uint16_t> values_;
    std::vector<std::uint16_t> least_;
};

struct Paths {
    const CostVolume& costs;
    const Image& guide;
    const JumpCosts& jump;
    CostVolume& sum;

    void begin(int y, int x, std::uint16_t* to, std::uint16_t& least) const {
        const std::uint16_t* cost = costs.at(y, x);
        std::uint16_t* total = sum.at(y, x);
        least = 0xFFFF;
        for (int l = 0; l < costs.stride; ++l) {
            to[l] = cost[l];
            total[l] = std::uint16_t(std::min(0xFFFF, int(total[l]) + cost[l]));
            least = std::min(least, cost[l]);
        }
    }
    void step(int y, int x, int from_y, int from_x, const std::uint16_t* from,
              std::uint16_t from_least, std::uint16_t* to, std::uint16_t& least) const {
        const float contrast = std::abs(guide.at(y, x) - guide.at(from_y, from_x));
        const int p2 = std::max(int(least_large_jump * float(jump.small)),
                                int(float(jump.large) / (1 + contrast / jump.edge)));
        least = path_step(from, from_least, costs.at(y, x), std::uint16_t(jump.small),
                          std::uint16_t(p2), to, sum.at(y, x), costs.stride);
    }
};

void along_rows(const Paths& paths, const Parallel& parallel) {
    const int width = paths.costs.width;
    parallel.ranges(paths.costs.height, 4, [&](int begin, int end) {
        PathLine line(2, paths.costs.stride);
        for (int y = begin; y < end; ++y)
            for (const int dx : {1, -1}) {
                int x = dx > 0 ? 0 : width - 1;
                paths.begin(y, x, line.at(0), line.least(0));
                for (int n = 1; n < width; ++n, x += dx) {
                    const int a = (n - 1) % 2;
                    paths.step(y, x + dx, y, x, line.at(a), line.least(a), line.at(1 - a),
                               line.least(1 - a));
                }
            }
    });
}

// From row to row, dy = 1 or -1: straight and along both diagonals.
void across_rows(const Paths& paths, int dy, const Parallel& parallel) {
    const int width = paths.costs.width;
    const int height = paths.costs.height;
    std::vector<PathLine> lines(2 * paths_at_once, PathLine(width, paths.costs.stride));
    for (int n = 0; n < height; ++n) {
        const int y = dy > 0 ? n : height - 1 - n;
        PathLine* before = &lines[n % 2 == 0 ? 0 : paths_at_once];
        PathLine* now = &lines[n % 2 == 0 ? paths_at_once : 0];
        parallel.ranges(width, 64, [&](int begin, int end) {
            for (int x = begin; x < end; ++x)
                for (int r = 0; r < paths_at_once; ++r) {
                    const int from = x - (r - 1);
                    if (n == 0 || from < 0 || from >= width)
                        paths.begin(y, x, now[r].at(x), now[r].least(x));
                    else
                        paths.step(y, x, y - dy, from, before[r].at(from), before[r].least(from),
                                   now[r].at(x), now[r].least(x));
                }
        });
    }
}

}  // namespace

namespace {

int label_stride(int labels) {
    return (labels + label_lanes - 1) / label_lanes * label_lanes;
}

}  // namespace

CostVolume::CostVolume(int w, int h, int l)
    : width(w),
      height(h),
      labels(l),
      stride(label_stride(l)),
      costs(bytes(w, h, l) / sizeof(std::uint16_t), 0) {}

std::size_t CostVolume::bytes(int w, int h, int l) {
    return std::size_t(w) * std::size_t(h) * std::size_t(label_stride(l)) * sizeof(std::uint16_t);
}

CostVolume semi_global_matching(const CostVolume& costs, const Image& guide, const JumpCosts& jump,
                                const Parallel& parallel) {
    CostVolume sum(costs.width, costs.height, costs.labels);
    const Paths paths{costs, guide, jump, sum};
    along_rows(paths, parallel);
    across_rows(paths, 1, parallel);
    across_rows(paths, -1, parallel);
    return sum;
}

}  // namespace plenosr::cpu
