#include "registration/refine_jointly.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>

#include "kernels/parameters.h"
#include "registration/normal_equations.h"
#include "registration/registration_parameters.h"

namespace plenosr {

using namespace registration;

namespace {

// F(p + d) = value + gx dx + gy dy
struct Fit {
    double value = 0;
    double gx = 0;
    double gy = 0;
    bool found = false;
};

// (1 - u)^2 for u < 1, else 0; u is a squared distance in units of the radius.
double biweight(double u) {
    return u < 1 ? (1 - u) * (1 - u) : 0.0;
}

class JointFit {
public:
    JointFit(const std::vector<Image>& frames, Registration motion,
             const std::vector<FrameReport>& reports)
        : frames_(frames), motion_(motion), reports_(reports) {
        double trusted = 0;
        for (std::size_t k = 0; k < frames.size(); ++k) {
            if (reports[k].weight < 1) continue;
            ++trusted;
            back_.push_back({inverse(reports[k].motion.matrix), {}});
            sources_.push_back(k);
        }
        const double radius =
            std::max(least_fit_radius, fit_radius / std::sqrt(std::max(trusted, 1.0)));
        inverse_radius2_ = 1 / (radius * radius);
        const double per_frame = double(frames.front().pixels());
        stride_ = std::max(1, int(std::sqrt(per_frame / joint_pixels_per_step)));
    }

    // One step for the motion of frame k; false if the pixels do not determine it.
    bool step(std::size_t k, std::array<double, 9>& matrix) const {
        const Image& y = frames_[k];
        const int rows = (y.height - 2 * joint_border + stride_ - 1) / stride_;
        if (rows < 1) return false;
        std::vector<std::vector<Row>> found{std::size_t(rows)};
        tbb::parallel_for(0, rows, [&](int i) {
            fill_row(k, matrix, joint_border + i * stride_, found[std::size_t(i)]);
        });
        std::vector<WeightedResidual> spread;
        for (const auto& row : found)
            for (const Row& r : row)
                spread.push_back({float(std::abs(r.residual)), float(r.gx * r.gx + r.gy * r.gy)});
        const double cut = residual_cut(sigma_per_median * weighted_median_residual(spread));
        NormalEquations sums(motion_, Normalised(y));
        for (const auto& row : found)
            for (const Row& r : row)
                sums.add(r.x, r.y, r.gx, r.gy, r.value, r.residual, cut);
        const auto found_step = sums.solve();
        if (found_step) matrix = product(found_step->delta, matrix);
        return found_step.has_value();
    }

private:
    struct Row {
        double x, y;  // h_k q
        double gx, gy;
        double value;     // y_k(q)
        double residual;  // y_k(q) - F(h_k q)
    };

    double value(std::size_t k, int y, int x) const {
        return reports_[k].gain * double(frames_[k].at(y, x)) + reports_[k].offset;
    }

    void fill_row(std::size_t k, const std::array<double, 9>& matrix, int i,
                  std::vector<Row>& row) const {
        const FrameMotion h{matrix, {}};
        for (int j = joint_border; j < frames_[k].width - joint_border; j += stride_) {
            const Place p = h.to_reference({double(j), double(i)});
            const Fit fit = fitted(p, k);
            const double seen = value(k, i, j);
            if (fit.found) row.push_back({p.x, p.y, fit.gx, fit.gy, seen, seen - fit.value});
        }
    }

    Fit fitted(Place p, std::size_t without) const {
        // sum g (1, dx, dy)' (1, dx, dy) and sum g (1, dx, dy)' y
        double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, t = 0, tx = 0, ty = 0;
        for (std::size_t n = 0; n < sources_.size(); ++n) {
            const std::size_t k = sources_[n];
            if (k == without) continue;
            const Image& frame = frames_[k];
            const Place q = back_[n].to_reference(p);
            const int cx = int(std::lround(q.x));
            const int cy = int(std::lround(q.y));
            if (!(cx >= 1 && cy >= 1 && cx < frame.width - 1 && cy < frame.height - 1)) continue;
            for (int y = cy - 1; y <= cy + 1; ++y)
                for (int x = cx - 1; x <= cx + 1; ++x) {
                    const double dx = x - q.x;  // as in the reference: motions are nearly shifts
                    const double dy = y - q.y;
                    const double d2 = dx * dx + dy * dy;
                    const double g = biweight(inverse_radius2_ * d2) +
                                     gap_weight * biweight(d2 / (gap_radius * gap_radius));
                    const double v = value(k, y, x);
                    s += g, sx += g * dx, sy += g * dy;
                    sxx += g * dx * dx, sxy += g * dx * dy, syy += g * dy * dy;
                    t += g * v, tx += g * dx * v, ty += g * dy * v;
                }
        }
        if (!(s > 0)) return {};
        // Moments about the centre of the samples.
        const double mx = sx / s, my = sy / s, m = t / s;
        const double a = sxx / s - mx * mx, b = sxy / s - mx * my, c = syy / s - my * my;
        const double u = tx / s - mx * m, w = ty / s - my * m;
        const double determinant = a * c - b * b;
        if (!(determinant > least_fit_determinant)) return {};
        Fit fit;
        fit.gx = (c * u - b * w) / determinant;
        fit.gy = (a * w - b * u) / determinant;
        fit.value = m - fit.gx * mx - fit.gy * my;
        fit.found = true;
        return fit;
    }

    const std::vector<Image>& frames_;
    Registration motion_;
    const std::vector<FrameReport>& reports_;
    std::vector<std::size_t> sources_;
    std::vector<FrameMotion> back_;  // reference -> frame
    double inverse_radius2_ = 0;     // 1 / R^2
    int stride_ = 1;
};

struct Lattice {
    int m = 0;
    Place origin;
};

// Set if the shifts lie near a lattice of 1/m pixel, each of its m x m places taken by equally many
// frames. The place of the lattice is the circular mean of m s:
//   |mean of exp(2 pi i m s)| >= least_lattice_fit  along both axes
std::optional<Lattice> lattice_of(const std::vector<FrameReport>& reports, int m) {
    std::vector<Place> shifts;
    for (const FrameReport& r : reports)
        if (r.weight >= 1) shifts.push_back({r.motion.matrix[2], r.motion.matrix[5]});
    const auto places = std::size_t(m) * std::size_t(m);
    if (shifts.empty() || shifts.size() % places != 0) return {};
    const double radians_per_px = 2 * std::numbers::pi * m;
    std::complex<double> across = 0;
    std::complex<double> down = 0;
    for (const Place& s : shifts) {
        across += std::polar(1.0, radians_per_px * s.x);
        down += std::polar(1.0, radians_per_px * s.y);
    }
    if (std::min(std::abs(across), std::abs(down)) < least_lattice_fit * double(shifts.size()))
        return {};
    const Place origin{std::arg(across) / radians_per_px, std::arg(down) / radians_per_px};
    std::vector<std::size_t> taken(places, 0);
    const auto index = [m](double shift) {  // 0 to m - 1
        return std::size_t(((std::lround(m * shift) % m) + m) % m);
    };
    for (const Place& s : shifts)
        ++taken[index(s.y - origin.y) * std::size_t(m) + index(s.x - origin.x)];
    if (!std::all_of(taken.begin(), taken.end(),
                     [&](std::size_t n) { return n == shifts.size() / places; }))
        return {};
    return Lattice{m, origin};
}
std::optional<Lattice> any_lattice(const std::vector<FrameReport>& reports) {
    for (int m = 2; std::size_t(m) * std::size_t(m) <= reports.size(); ++m)
        if (const auto lattice = lattice_of(reports, m)) return lattice;
    return {};
}

// Moves the shifts to the places of the lattice if they are as near as registration is exact: then
// a camera has moved its sensor by exact fractions of a pixel. By hand, four frames would come as
// near once in a million bursts.
void move_to_lattice(int reference, std::vector<FrameReport>& reports) {
    const auto lattice = any_lattice(reports);
    if (!lattice) return;
    const double m = lattice->m;
    const auto nearest = [m](double shift, double origin) {
        return std::round(m * (shift - origin)) / m;
    };
    double squares = 0;
    double count = 0;
    std::vector<Place> places;
    for (const FrameReport& r : reports) {
        const auto& h = r.motion.matrix;
        places.push_back({nearest(h[2], lattice->origin.x), nearest(h[5], lattice->origin.y)});
        if (r.weight < 1) continue;
        const double dx = h[2] - lattice->origin.x - places.back().x;
        const double dy = h[5] - lattice->origin.y - places.back().y;
        squares += dx * dx + dy * dy;
        count += 2;
    }
    if (squares > exact_lattice * exact_lattice * count) return;
    const Place zero = places[std::size_t(reference)];
    for (std::size_t k = 0; k < reports.size(); ++k) {
        if (reports[k].weight < 1) continue;
        reports[k].motion.matrix[2] = places[k].x - zero.x;
        reports[k].motion.matrix[5] = places[k].y - zero.y;
    }
}

}  // namespace

void refine_jointly(const std::vector<Image>& frames, int reference, Registration motion,
                    std::vector<FrameReport>& reports) {
    if (motion != Registration::translation || !any_lattice(reports)) return;
    std::vector<std::array<double, 9>> first;
    first.reserve(reports.size());
    for (const FrameReport& r : reports)
        first.push_back(r.motion.matrix);
    for (int sweep = 0; sweep < joint_sweeps; ++sweep) {
        const JointFit joint(frames, motion, reports);
        std::vector<std::array<double, 9>> refined;
        for (std::size_t k = 0; k < frames.size(); ++k) {
            std::array<double, 9> matrix = reports[k].motion.matrix;
            if (reports[k].weight >= 1 &&
                (!joint.step(k, matrix) ||
                 corner_distance(matrix, first[k], frames[k]) > largest_correction))
                matrix = reports[k].motion.matrix;
            refined.push_back(matrix);
        }
        const std::array<double, 9> to_reference = inverse(refined[std::size_t(reference)]);
        for (std::size_t k = 0; k < frames.size(); ++k)
            reports[k].motion.matrix = product(to_reference, refined[k]);
        reports[std::size_t(reference)].motion.matrix = FrameMotion().matrix;
    }
    move_to_lattice(reference, reports);
}

}  // namespace plenosr
