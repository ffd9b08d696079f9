#include "light_field/block_shifts.h"

#include <algorithm>

namespace plenosr {
namespace {

struct Sums {
    double xx = 0, yy = 0, xt = 0, yt = 0, x = 0, y = 0, t = 0, count = 0;
};

BlockShift shift_of(const Sums& s) {
    // sum(Ix (It - mean)) = sum(Ix It) - mean sum(Ix)
    const double mean = s.t / s.count;
    BlockShift shift;
    shift.weight_x = s.xx;
    shift.weight_y = s.yy;
    shift.along_x = s.xx > 0 ? (s.xt - mean * s.x) / s.xx : 0;
    shift.along_y = s.yy > 0 ? (s.yt - mean * s.y) / s.yy : 0;
    return shift;
}

}  // namespace

std::vector<BlockShift> block_shifts(const Image& a, const Image& b) {
    std::vector<BlockShift> shifts;
    const auto mean_at = [&](int y, int x) {
        return 0.5 * (double(a.at(y, x)) + double(b.at(y, x)));
    };
    for (int top = 1; top + parallax_block < a.height; top += parallax_block) {
        for (int left = 1; left + parallax_block < a.width; left += parallax_block) {
            Sums s;
            for (int y = top; y < top + parallax_block; ++y) {
                for (int x = left; x < left + parallax_block; ++x) {
                    const double ix = 0.5 * (mean_at(y, x + 1) - mean_at(y, x - 1));
                    const double iy = 0.5 * (mean_at(y + 1, x) - mean_at(y - 1, x));
                    const double it = double(b.at(y, x)) - double(a.at(y, x));
                    s.xx += ix * ix, s.yy += iy * iy;
                    s.xt += ix * it, s.yt += iy * it;
                    s.x += ix, s.y += iy, s.t += it;
                    s.count += 1;
                }
            }
            shifts.push_back(shift_of(s));
        }
    }
    return shifts;
}

}  // namespace plenosr
