#include "registration/align.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "light_field/impulse_repair.h"
#include "light_field/interpolate.h"
#include "light_field/smooth.h"
#include "registration/normal_equations.h"
#include "registration/phase_correlation.h"
#include "registration/registration_parameters.h"

namespace plenosr {

using namespace registration;

namespace {

class Level {
public:
    Level(const Image& reference, const Image& frame, Registration motion)
        : t_(reference),
          i_(frame),
          zero_(motion, Normalised(reference)),
          stride_(std::max(1, int(std::sqrt(double(reference.pixels()) / pixels_per_step)))) {}

    // One Gauss-Newton step. Returns the largest distance that it moved a corner, in pixels;
    // negative if the pixels do not determine a step.
    double step(Alignment& a) const {
        const double cut = residual_cut(spread_of(a));
        const int rows = (t_.height - 2 * align_border + stride_ - 1) / stride_;
        if (rows < 1) return -1;
        std::vector<NormalEquations> sums(std::size_t(rows), zero_);
        tbb::parallel_for(0, rows, [&](int k) {
            add_row(a, align_border + k * stride_, cut, sums[std::size_t(k)]);
        });
        NormalEquations total = zero_;
        for (const NormalEquations& row : sums)  // in one order, for any number of threads
            total.add(row);
        const auto found = total.solve();
        if (!found) return -1;
        a.gain += found->gain;
        a.offset += found->offset;
        const std::array<double, 9> before = a.warp;
        a.warp = product(a.warp, inverse(found->delta));
        return corner_distance(before, a.warp, t_);
    }

private:
    bool inside(Place p) const {
        return p.x >= align_border && p.y >= align_border && p.x <= i_.width - 1 - align_border &&
               p.y <= i_.height - 1 - align_border;
    }

    double spread_of(const Alignment& a) const {
        const FrameMotion warp{a.warp, {}};
        const int stride = std::max(1, int(std::sqrt(double(t_.pixels()) / pixels_for_spread)));
        std::vector<float> values;
        for (int y = align_border; y < t_.height - align_border; y += stride)
            for (int x = align_border; x < t_.width - align_border; x += stride) {
                const Place p = warp.to_reference({double(x), double(y)});
                if (!inside(p)) continue;
                values.push_back(std::abs(float(a.gain) * bilinear_at(i_, p.x, p.y) +
                                          float(a.offset) - t_.at(y, x)));
            }
        return values.empty() ? 0.0 : sigma_per_median * double(median_of(values));
    }

    void add_row(const Alignment& a, int y, double cut, NormalEquations& sums) const {
        const FrameMotion warp{a.warp, {}};
        for (int x = align_border; x < t_.width - align_border; x += stride_) {
            const Place p = warp.to_reference({double(x), double(y)});
            if (!inside(p)) continue;
            const double value = double(bicubic_at(i_, p.x, p.y, 0));
            const double r = a.gain * value + a.offset - double(t_.at(y, x));
            const double gx = 0.5 * double(t_.at(y, x + 1) - t_.at(y, x - 1));
            const double gy = 0.5 * double(t_.at(y + 1, x) - t_.at(y - 1, x));
            sums.add(x, y, gx, gy, value, r, cut);
        }
    }

    const Image& t_;        // the reference, T
    const Image& i_;        // the frame, I
    NormalEquations zero_;  // no sums yet
    int stride_;
};

// W for pixels that are 2^level as large; a negative level does the inverse.
std::array<double, 9> at_level(std::array<double, 9> w, int level) {
    const double factor = std::ldexp(1.0, level);
    w[2] /= factor;
    w[5] /= factor;
    w[6] *= factor;
    w[7] *= factor;
    return w;
}

Alignment aligned_on_level(const Image& t, const Image& i, Registration motion, int level,
                           const Alignment& start) {
    const Level steps(t, i, motion);
    Alignment here{at_level(start.warp, level), start.gain, start.offset};
    const double converged = level == 0 ? converged_move : converged_move_coarse;
    double moved = 1;
    for (int n = 0; n < most_steps && moved > converged; ++n)
        moved = steps.step(here);
    if (moved < 0) return start;  // this level determines no step
    return {at_level(here.warp, -level), here.gain, here.offset};
}

double mean_difference(const Image& reference, const Image& frame, Place shift) {
    double sum = 0;
    double count = 0;
    for (int y = 0; y < reference.height; ++y)
        for (int x = 0; x < reference.width; ++x) {
            const int i = x + int(shift.x);
            const int j = y + int(shift.y);
            if (i < 0 || j < 0 || i >= frame.width || j >= frame.height) continue;
            sum += double(std::abs(frame.at(j, i) - reference.at(y, x)));
            ++count;
        }
    return count < least_phase_overlap * double(reference.pixels()) ? 1e30 : sum / count;
}

}  // namespace

Pyramid pyramid_of(const Image& frame, const ValueLimits& limits) {
    Pyramid result;
    result.levels.push_back(smoothed(without_impulses(luma(frame), limits), first_smoothing));
    while (std::min(result.levels.back().width, result.levels.back().height) >=
           2 * smallest_level) {
        const Image fine = smoothed(result.levels.back(), level_smoothing);
        Image coarse((fine.width + 1) / 2, (fine.height + 1) / 2);
        for (int y = 0; y < coarse.height; ++y)
            for (int x = 0; x < coarse.width; ++x)
                coarse.at(y, x) = fine.at(2 * y, 2 * x);
        result.levels.push_back(std::move(coarse));
    }
    return result;
}

Alignment align(const Pyramid& reference, const Pyramid& frame, Registration motion) {
    Alignment a;
    const int levels = int(reference.levels.size());
    int start = 0;
    while (start + 1 < levels &&
           std::max(reference.levels[std::size_t(start)].width,
                    reference.levels[std::size_t(start)].height) > largest_phase_level)
        ++start;
    {
        const Image& t = reference.levels[std::size_t(start)];
        const Image& i = frame.levels[std::size_t(start)];
        const Place d = phase_correlation(t, i);
        if (mean_difference(t, i, d) < mean_difference(t, i, {0, 0}))
            a.warp = at_level({1, 0, d.x, 0, 1, d.y, 0, 0, 1}, -start);
    }
    for (int level = levels - 1; level >= 0; --level) {
        const Image& t = reference.levels[std::size_t(level)];
        const Image& i = frame.levels[std::size_t(level)];
        // Few pixels determine few parameters.
        const bool few = level > 0 && std::min(t.width, t.height) < 2 * smallest_level;
        a = aligned_on_level(t, i, few ? Registration::translation : motion, level, a);
    }
    return a;
}

Alignment align_finely(const Pyramid& reference, const Pyramid& frame, Registration motion,
                       const Alignment& start) {
    return aligned_on_level(reference.levels.front(), frame.levels.front(), motion, 0, start);
}

}  // namespace plenosr
