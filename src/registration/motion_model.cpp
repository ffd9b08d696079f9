#include "registration/motion_model.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "base/cholesky.h"
#include "base/median.h"
#include "light_field/interpolate.h"
#include "registration/normal_equations.h"
#include "registration/registration_parameters.h"

namespace plenosr {

using namespace registration;

namespace {

constexpr std::size_t most_parameters = 8;
using Row = std::array<double, most_parameters>;

// The displacement of a block along one direction, a unit vector, in pixels of the reference.
struct Displacement {
    Place direction;
    double information = 0;  // l
    double value = 0;        // d along the direction
    double weight = 0;       // 1 / variance, times the robust weight of the block
};
struct Block {
    Place centre;
    std::array<Displacement, 2> along;  // the eigenvectors of G
    double trace() const { return along[0].information + along[1].information; }
};

class BlockSums {
public:
    void add(double gx, double gy, double r, double cut) {
        if (std::abs(r) >= cut) return;
        const double root = 1 - (r / cut) * (r / cut);
        const double w = root * root;
        xx_ += w * gx * gx, xy_ += w * gx * gy, yy_ += w * gy * gy;
        xr_ -= w * gx * r, yr_ -= w * gy * r;
        ++pixels_;
    }
    double pixels() const { return pixels_; }
    std::array<Displacement, 2> eigen() const {
        const double mean = 0.5 * (xx_ + yy_);
        const double root = std::hypot(0.5 * (xx_ - yy_), xy_);
        const double angle = 0.5 * std::atan2(2 * xy_, xx_ - yy_);
        std::array<Displacement, 2> result;
        for (std::size_t i = 0; i < 2; ++i) {
            Displacement& d = result[i];
            d.direction = i == 0 ? Place{std::cos(angle), std::sin(angle)}
                                 : Place{-std::sin(angle), std::cos(angle)};
            d.information = std::max(i == 0 ? mean + root : mean - root, 0.0);
            const double e = d.direction.x * xr_ + d.direction.y * yr_;
            if (d.information > least_information * pixels_)
                d.value = e / d.information;
            else
                d.information = 0;
        }
        return result;
    }

private:
    double xx_ = 0, xy_ = 0, yy_ = 0, xr_ = 0, yr_ = 0, pixels_ = 0;
};

struct PixelResidual {
    double gx, gy, r;
};

class Blocks {
public:
    Blocks(const Image& reference, const Image& frame, const Alignment& a)
        : t_(reference),
          i_(frame),
          a_(a),
          warp_{a.warp, {}},
          size_(std::max(smallest_block,
                         std::max(reference.width, reference.height) / most_blocks_across)),
          stride_(std::max(1, int(std::sqrt(double(reference.pixels()) / pixels_per_step)))) {}

    std::vector<Block> measured() const {
        const double cut = residual_cut(spread());
        const int across = (t_.width - 2 * align_border) / size_;
        const int down = (t_.height - 2 * align_border) / size_;
        if (across < 1 || down < 1) return {};
        std::vector<Block> all(std::size_t(across) * std::size_t(down));
        tbb::parallel_for(0, down, [&](int j) {
            for (int i = 0; i < across; ++i)
                all[std::size_t(j) * std::size_t(across) + std::size_t(i)] =
                    block(align_border + i * size_, align_border + j * size_, cut);
        });
        std::erase_if(all, [](const Block& b) { return b.along[0].information <= 0; });
        return all;
    }

private:
    bool residual(int x, int y, PixelResidual& p) const {
        const Place q = warp_.to_reference({double(x), double(y)});
        if (q.x < align_border || q.y < align_border || q.x > i_.width - 1 - align_border ||
            q.y > i_.height - 1 - align_border)
            return false;
        p.gx = 0.5 * double(t_.at(y, x + 1) - t_.at(y, x - 1));
        p.gy = 0.5 * double(t_.at(y + 1, x) - t_.at(y - 1, x));
        p.r = a_.gain * double(bicubic_at(i_, q.x, q.y, 0)) + a_.offset - double(t_.at(y, x));
        return true;
    }

    // Of the residuals where the gradient is strong, as those determine the displacements.
    double spread() const {
        const int stride = std::max(1, int(std::sqrt(double(t_.pixels()) / pixels_for_spread)));
        std::vector<WeightedResidual> values;
        PixelResidual p{};
        for (int y = align_border; y < t_.height - align_border; y += stride)
            for (int x = align_border; x < t_.width - align_border; x += stride)
                if (residual(x, y, p))
                    values.push_back({float(std::abs(p.r)), float(p.gx * p.gx + p.gy * p.gy)});
        return sigma_per_median * weighted_median_residual(values);
    }

    Block block(int x0, int y0, double cut) const {
        BlockSums sums;
        PixelResidual p{};
        for (int y = y0; y < y0 + size_; y += stride_)
            for (int x = x0; x < x0 + size_; x += stride_)
                if (residual(x, y, p)) sums.add(p.gx, p.gy, p.r, cut);
        Block b;
        b.centre = {x0 + 0.5 * (size_ - 1), y0 + 0.5 * (size_ - 1)};
        const double all = double(size_) * size_ / (double(stride_) * stride_);
        if (sums.pixels() >= least_block_share * all) b.along = sums.eigen();
        return b;
    }

    const Image& t_;
    const Image& i_;
    const Alignment& a_;
    FrameMotion warp_;
    int size_;
    int stride_;
};

// s^2 and t^2 of the variance s^2 / l + t^2. With both known, sum of l d^2 / (s^2 + t^2 l) over a
// block has a chi-squared distribution of two degrees of freedom, whose median is 2 ln 2.
struct Variance {
    double noise = 0;  // s^2
    double alias = 0;  // t^2
};
Variance variance_of(const std::vector<Block>& blocks) {
    constexpr double median = 1.3863;  // 2 ln 2
    std::vector<float> traces;
    traces.reserve(blocks.size());
    for (const Block& b : blocks)
        traces.push_back(float(b.trace()));
    const double middle = double(median_of(traces));
    const auto energy = [](const Block& b) {
        double sum = 0;
        for (const Displacement& d : b.along)
            sum += d.information * d.value * d.value;
        return sum;
    };
    std::vector<float> weak;
    for (const Block& b : blocks)
        if (b.trace() <= middle) weak.push_back(float(energy(b)));
    Variance v;
    v.noise = std::max(double(median_of(weak)) / median, 1e-12);
    std::vector<float> strong;
    for (const Block& b : blocks)
        if (b.trace() >= middle)
            strong.push_back(float((energy(b) / median - v.noise) / (0.5 * b.trace())));
    v.alias = std::max(double(median_of(strong)), least_position_error * least_position_error);
    return v;
}

// Least squares: sum of weight (value - row theta)^2.
class Fit {
public:
    explicit Fit(std::size_t parameters) : n_(parameters) {}
    void add(const Row& row, double value, double weight) {
        for (std::size_t i = 0; i < n_; ++i) {
            right_[i] += weight * row[i] * value;
            for (std::size_t j = 0; j <= i; ++j)
                matrix_[i][j] += weight * row[i] * row[j];
        }
        square_ += weight * value * value;
    }
    bool solve(Row& theta, double& misfit) const {
        auto matrix = matrix_;
        theta = right_;
        if (!solve_in_place(matrix, theta, n_)) return false;
        misfit = square_;
        for (std::size_t i = 0; i < n_; ++i)
            misfit -= theta[i] * right_[i];
        return true;
    }

private:
    std::size_t n_;
    std::array<Row, most_parameters> matrix_{};
    Row right_{};
    double square_ = 0;
};

// The displacement of (a, b), normalised, along (x, y), by each parameter of a model.
Row row_of(Registration model, double a, double b, Place along) {
    const double x = along.x;
    const double y = along.y;
    if (model == Registration::translation) return {x, y};
    if (model == Registration::similarity) return {x, y, x * a + y * b, y * a - x * b};
    Row row = {x, y, x * a, x * b, y * a, y * b};
    if (model == Registration::homography) {
        row[6] = -a * (a * x + b * y);
        row[7] = -b * (a * x + b * y);
    }
    return row;
}

std::array<double, 9> matrix_of(Registration model, const Row& t) {
    if (model == Registration::translation) return {1, 0, t[0], 0, 1, t[1], 0, 0, 1};
    if (model == Registration::similarity)
        return {1 + t[2], -t[3], t[0], t[3], 1 + t[2], t[1], 0, 0, 1};
    return {1 + t[2], t[3], t[0], t[4], 1 + t[5], t[1], t[6], t[7], 1};
}

}  // namespace

MotionModels motion_models(const Pyramid& reference, const Pyramid& frame,
                           const Alignment& general) {
    MotionModels result;
    const Image& t = reference.levels.front();
    std::vector<Block> blocks = Blocks(t, frame.levels.front(), general).measured();
    if (blocks.size() < fewest_blocks) return result;
    const Variance variance = variance_of(blocks);
    double judged = 0;
    double displaced = 0;
    for (Block& b : blocks) {
        double chi2 = 0;
        double moved2 = 0;
        double error2 = 0;
        for (Displacement& d : b.along) {
            d.weight = d.information / (variance.noise + variance.alias * d.information);
            chi2 += d.weight * d.value * d.value;
            moved2 += d.value * d.value;
            error2 += d.weight > 0 ? 1 / d.weight : 1e30;
        }
        const double chi = std::sqrt(chi2);
        if (error2 < largest_judged_error * largest_judged_error) {
            ++judged;
            if (moved2 > displaced_px * displaced_px && chi > displaced_chi) ++displaced;
        }
        for (Displacement& d : b.along)
            d.weight *= chi > displaced_chi ? 0 : std::min(1.0, huber_chi / std::max(chi, 1e-9));
    }
    result.elsewhere = judged >= double(fewest_blocks) ? displaced / judged : 0;

    const Normalised n(t);
    const FrameMotion warp{general.warp, {}};
    result.known = true;
    for (const Block& b : blocks)
        for (const Displacement& d : b.along)
            if (d.weight > 0) ++result.observations;
    for (std::size_t m = 0; m < MotionModels::list.size(); ++m) {
        const Registration model = MotionModels::list[m];
        const bool is_general = model == Registration::homography;
        Fit fit(parameters_of(model));
        for (const Block& b : blocks) {
            const double u = (b.centre.x - n.cx) / n.unit;
            const double v = (b.centre.y - n.cy) / n.unit;
            const Place at = warp.to_reference(b.centre);
            for (const Displacement& d : b.along) {
                if (d.weight <= 0) continue;
                // The general model is corrected in the reference; the others give the place in the
                // frame, and the direction is turned with them.
                if (is_general) {
                    fit.add(row_of(model, u, v, d.direction), d.value / n.unit, d.weight);
                    continue;
                }
                const Place beside =
                    warp.to_reference({b.centre.x + d.direction.x, b.centre.y + d.direction.y});
                Place along{beside.x - at.x, beside.y - at.y};
                const double length = std::hypot(along.x, along.y);
                along = {along.x / length, along.y / length};
                const double moved = along.x * (at.x - b.centre.x) + along.y * (at.y - b.centre.y) +
                                     length * d.value;
                fit.add(row_of(model, u, v, along), moved / n.unit, d.weight);
            }
        }
        Row theta{};
        double misfit = 0;
        if (!fit.solve(theta, misfit)) return {};
        result.misfits[m] = misfit * n.unit * n.unit;
        const std::array<double, 9> to = {n.unit, 0, n.cx, 0, n.unit, n.cy, 0, 0, 1};
        const std::array<double, 9> from = {
            1 / n.unit, 0, -n.cx / n.unit, 0, 1 / n.unit, -n.cy / n.unit, 0, 0, 1};
        result.warps[m] = product(to, product(matrix_of(model, theta), from));
        if (is_general) result.warps[m] = product(general.warp, result.warps[m]);
    }
    return result;
}

std::size_t simplest_model(const std::vector<MotionModels>& frames) {
    const std::size_t general = MotionModels::list.size() - 1;
    for (std::size_t m = 0; m < general; ++m) {
        double excess = 0;
        double allowed = 0;
        for (const MotionModels& f : frames) {
            if (!f.known) continue;
            excess += f.misfits[m] - f.misfits[general];
            allowed += double(parameters_of(MotionModels::list[general]) -
                              parameters_of(MotionModels::list[m])) *
                       std::log(f.observations);
        }
        if (excess <= allowed) return m;
    }
    return general;
}

}  // namespace plenosr
