#include "registration/refine_jointly.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "registration/normal_equations.h"

namespace plenosr {
namespace {

constexpr std::size_t fewest = 4;  // frames: fewer sample hardly finer than one
constexpr int sweeps = 3;
constexpr double enough_pixels = 4e4;  // that a step looks at
constexpr double farthest = 0.3;       // pixels: the first registration is better than that
constexpr double narrowest = 0.4;      // pixels of the frames: the window's radius, at least
constexpr double wide = 1.4;           // a second, faint window for the gaps between samples
constexpr double faint = 1e-3;
constexpr int border = 3;
// Errors of 0.06 pixels in the first registration leave 0.19 of shifts by half a pixel.
constexpr double most_aliases = 0.25;

// F(p + d) = value + gx dx + gy dy
struct Fit {
    double value = 0;
    double gx = 0;
    double gy = 0;
    bool found = false;
};

// (1 - u)^2 up to u = 1, u a squared distance
double biweight(double u) {
    return u < 1 ? (1 - u) * (1 - u) : 0.0;
}

class Joint {
public:
    Joint(const std::vector<Image>& frames, Registration what,
          const std::vector<FrameReport>& reports)
        : frames_(frames), what_(what), reports_(reports) {
        double trusted = 0;
        for (std::size_t k = 0; k < frames.size(); ++k) {
            if (reports[k].weight < 1) continue;
            ++trusted;
            back_.push_back({inverse(reports[k].motion.matrix), {}});
            sources_.push_back(k);
        }
        const double radius = std::max(narrowest, 1.7 / std::sqrt(std::max(trusted, 1.0)));
        narrow_ = 1 / (radius * radius);
        const double per_frame = double(frames.front().pixels());
        stride_ = std::max(1, int(std::sqrt(per_frame / enough_pixels)));
    }

    // One step of frame k; false: none can be made.
    bool step(std::size_t k, std::array<double, 9>& motion) const {
        const Image& y = frames_[k];
        const int rows = (y.height - 2 * border + stride_ - 1) / stride_;
        if (rows < 1) return false;
        std::vector<std::vector<Row>> found{std::size_t(rows)};
        tbb::parallel_for(0, rows, [&](int i) {
            fill_row(k, motion, border + i * stride_, found[std::size_t(i)]);
        });
        std::vector<WeightedResidual> spread;
        for (const auto& row : found)
            for (const Row& r : row)
                spread.push_back({float(std::abs(r.residual)), float(r.gx * r.gx + r.gy * r.gy)});
        const double cut = 4.685 * std::max(1.4826 * weighted_median(spread), 0.5);
        NormalEquations sums(what_, Normalised(y));
        for (const auto& row : found)
            for (const Row& r : row)
                sums.add(r.x, r.y, r.gx, r.gy, r.value, r.residual, cut);
        const auto found_step = sums.solve();
        if (found_step) motion = product(found_step->delta, motion);
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

    void fill_row(std::size_t k, const std::array<double, 9>& motion, int i,
                  std::vector<Row>& row) const {
        const FrameMotion h{motion, {}};
        for (int j = border; j < frames_[k].width - border; j += stride_) {
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
                    const double dx = x - q.x;  // motions that are nearly shifts: as in p's frame
                    const double dy = y - q.y;
                    const double d2 = dx * dx + dy * dy;
                    const double g = biweight(narrow_ * d2) + faint * biweight(d2 / (wide * wide));
                    const double v = value(k, y, x);
                    s += g, sx += g * dx, sy += g * dy;
                    sxx += g * dx * dx, sxy += g * dx * dy, syy += g * dy * dy;
                    t += g * v, tx += g * dx * v, ty += g * dy * v;
                }
        }
        if (!(s > 0)) return {};
        // about the samples' centre
        const double mx = sx / s, my = sy / s, m = t / s;
        const double a = sxx / s - mx * mx, b = sxy / s - mx * my, c = syy / s - my * my;
        const double u = tx / s - mx * m, w = ty / s - my * m;
        const double determinant = a * c - b * b;
        if (!(determinant > 1e-6)) return {};
        Fit fit;
        fit.gx = (c * u - b * w) / determinant;
        fit.gy = (a * w - b * u) / determinant;
        fit.value = m - fit.gx * mx - fit.gy * my;
        fit.found = true;
        return fit;
    }

    const std::vector<Image>& frames_;
    Registration what_;
    const std::vector<FrameReport>& reports_;
    std::vector<std::size_t> sources_;
    std::vector<FrameMotion> back_;  // reference -> frame
    double narrow_ = 0;
    int stride_ = 1;
};

// |mean of exp(2 pi i phase)| along both axes: what is left of the first aliases if frames that are
// shifted so are averaged.
double aliases_left(const std::vector<FrameReport>& reports) {
    std::complex<double> across = 0;
    std::complex<double> down = 0;
    double count = 0;
    for (const FrameReport& r : reports) {
        if (r.weight < 1) continue;
        across += std::polar(1.0, 2 * std::numbers::pi * r.motion.matrix[2]);
        down += std::polar(1.0, 2 * std::numbers::pi * r.motion.matrix[5]);
        ++count;
    }
    return std::max(std::abs(across), std::abs(down)) / std::max(count, 1.0);
}

}  // namespace

void refine_jointly(const std::vector<Image>& frames, int reference, Registration what,
                    std::vector<FrameReport>& reports) {
    const auto trusted = std::count_if(reports.begin(), reports.end(),
                                       [](const FrameReport& r) { return r.weight >= 1; });
    if (what != Registration::translation || std::size_t(trusted) < fewest ||
        aliases_left(reports) > most_aliases)
        return;
    std::vector<std::array<double, 9>> first;
    first.reserve(reports.size());
    for (const FrameReport& r : reports)
        first.push_back(r.motion.matrix);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        const Joint joint(frames, what, reports);
        std::vector<std::array<double, 9>> refined;
        for (std::size_t k = 0; k < frames.size(); ++k) {
            std::array<double, 9> motion = reports[k].motion.matrix;
            if (reports[k].weight >= 1 &&
                (!joint.step(k, motion) || corner_distance(motion, first[k], frames[k]) > farthest))
                motion = reports[k].motion.matrix;
            refined.push_back(motion);
        }
        const std::array<double, 9> to_reference = inverse(refined[std::size_t(reference)]);
        for (std::size_t k = 0; k < frames.size(); ++k)
            reports[k].motion.matrix = product(to_reference, refined[k]);
        reports[std::size_t(reference)].motion.matrix = FrameMotion().matrix;
    }
}

}  // namespace plenosr
