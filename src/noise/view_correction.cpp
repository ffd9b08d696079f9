#include "noise/view_correction.h"

#include <tbb/parallel_for.h>

#include "base/cholesky.h"
#include "light_field/interpolate.h"

namespace plenosr {
namespace {

// Chosen together with the constants of sample_trust.cpp, on the same captures and scenes. On
// bikes, reduced x2, half of huber_noises changes nothing, since least_huber applies there. The
// other values were not varied.
constexpr double middle_grey = 127.5;  // Bx is counted from there, so that offset and gain decouple
constexpr double huber_noises = 1.5;
constexpr double least_huber = 2;  // grey levels
// Standard deviations of a Gaussian prior of offset, gain, dx, dy, du, dv, for residuals of one
// grey level. They only matter where a view has almost no samples or no texture.
constexpr std::array<double, 6> prior_sigmas{5, 0.1, 0.2, 0.2, 0.1, 0.1};
// A view with a larger correction is not corrected: it does not show the scene.
constexpr double largest_gain = 0.5;
constexpr double largest_shift = 1;   // high-resolution pixels
constexpr double largest_step = 0.3;  // steps between views
constexpr double beyond_border = 1;   // high-resolution pixels: samples further outside are dropped

}  // namespace

void CorrectionFit::add(const Problem& p, const Image& before, const Box& core,
                        const ValueLimits& limits, double noise) {
    const Image blurred = blurred_mean(before, p.psf);
    const double huber = std::max(least_huber, huber_noises * noise);
    tbb::parallel_for(std::size_t(0), sums_.size(), [&](std::size_t k) {
        const Observation& o = p.observations[k];
        if (is_reference(o)) return;
        Sums& s = sums_[k];
        for_each_sample(p, o, [&](int i, int j, const Place& at) {
            const double y = mean_sample(o, i, j, limits);
            if (std::isnan(y) || !is_in(core, at)) return;
            const ValueAndGradient b = bicubic_with_gradient(blurred, at.x, at.y);
            const double d = o.disparity.empty() ? 0.0 : double(o.disparity.at(i, j));
            const double r = y - b.value;
            const double w =
                double(o.weight.at(i, j)) * (std::abs(r) > huber ? huber / std::abs(r) : 1.0);
            const Row row{1, b.value - middle_grey, b.gx, b.gy, d * b.gx, d * b.gy};
            for (std::size_t a = 0; a < unknowns; ++a) {
                for (std::size_t c = 0; c <= a; ++c)
                    s.matrix[a][c] += w * row[a] * row[c];
                s.right[a] += w * row[a] * r;
            }
        });
    });
}

void CorrectionFit::add(const CorrectionFit& other) {
    for (std::size_t k = 0; k < sums_.size(); ++k)
        for (std::size_t a = 0; a < unknowns; ++a) {
            for (std::size_t c = 0; c <= a; ++c)
                sums_[k].matrix[a][c] += other.sums_[k].matrix[a][c];
            sums_[k].right[a] += other.sums_[k].right[a];
        }
}

// Zero if nothing is known, as of the reference.
CorrectionFit::Row CorrectionFit::solution(const Sums& sums) {
    Sums s = sums;
    for (std::size_t a = 0; a < unknowns; ++a)
        s.matrix[a][a] += 1 / (prior_sigmas[a] * prior_sigmas[a]);
    return solve_in_place(s.matrix, s.right) ? s.right : Row{};
}

std::vector<ViewCorrection> CorrectionFit::corrections() const {
    std::vector<ViewCorrection> result;
    for (const Sums& s : sums_) {
        const Row z = solution(s);
        const bool plausible = std::abs(z[1]) <= largest_gain && std::abs(z[2]) <= largest_shift &&
                               std::abs(z[3]) <= largest_shift && std::abs(z[4]) <= largest_step &&
                               std::abs(z[5]) <= largest_step;
        result.push_back(
            plausible ? ViewCorrection{z[0] - middle_grey * z[1], z[1], z[2], z[3], z[4], z[5]}
                      : ViewCorrection{});
    }
    return result;
}

void correct_views(Problem& p, const std::vector<ViewCorrection>& corrections,
                   const ValueLimits& limits) {
    for (std::size_t k = 0; k < corrections.size(); ++k) {
        const ViewCorrection& c = corrections[k];
        Observation& o = p.observations[k];
        o.x0 += c.dx;
        o.y0 += c.dy;
        o.u += c.du;
        o.v += c.dv;
        for (float& y : o.values.values)
            if (!limits.extreme(y)) y = float((double(y) - c.offset) / (1 + c.gain));
        for_each_sample(p, o, [&](int i, int j, const Place& at) {
            if (at.x < -beyond_border || at.y < -beyond_border ||
                at.x > p.width - 1 + beyond_border || at.y > p.height - 1 + beyond_border)
                o.weight.at(i, j) = 0;
        });
    }
}

}  // namespace plenosr
