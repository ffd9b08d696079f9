#include "tiles/region_verdicts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plenosr {
namespace {

// By reasoning, not tuned.
constexpr double significance = 0.001;  // of a picture: the chance that a region seems worse
constexpr double least_excess = 0.5;    // grey levels
constexpr int least_cells = 16;         // with samples, of a region
constexpr int ramp_px = 4;              // low-resolution pixels on each side of a region's border

// z with P(N(0, 1) > z) = p, by bisection.
double normal_quantile(double p) {
    double low = 0;
    double high = 40;
    for (int i = 0; i < 60; ++i) {
        const double z = (low + high) / 2;
        (0.5 * std::erfc(z / std::sqrt(2.0)) > p ? low : high) = z;
    }
    return low;
}

struct Region {
    int x0, x1, y0, y1;  // cells
};

PredictionErrors::Cell sum_of(const PredictionErrors& errors, const Region& r, double allowance,
                              int& cells) {
    PredictionErrors::Cell sum;
    cells = 0;
    for (int y = r.y0; y < r.y1; ++y)
        for (int x = r.x0; x < r.x1; ++x) {
            const auto& cell = errors.at(y, x);
            cells += cell.samples > 0;
            sum.samples += cell.samples;
            sum.model += cell.model;
            sum.bicubic += allowance * cell.bicubic;
        }
    return sum;
}

// The standard deviation of D, see above.
double deviation(const PredictionErrors& errors, const Region& r, double allowance, double mean) {
    const auto u = [&](int y, int x) {
        const auto& cell = errors.at(y, x);
        return cell.model - allowance * cell.bicubic - mean * cell.samples;
    };
    double squares = 0;
    double neighbours = 0;
    for (int y = r.y0; y < r.y1; ++y)
        for (int x = r.x0; x < r.x1; ++x) {
            const double here = u(y, x);
            squares += here * here;
            if (x + 1 < r.x1) neighbours += here * u(y, x + 1);
            if (y + 1 < r.y1) neighbours += here * u(y + 1, x);
        }
    return std::sqrt(squares + 2 * std::max(0.0, neighbours));
}

struct Tested {
    PredictionErrors::Cell sum;
    bool has_enough = false;   // samples
    bool seems_worse = false;  // by enough to be seen
    bool is_worse = false;     // significantly
};

Tested test_of(const PredictionErrors& errors, const Region& region, double z,
               double allowance = 1) {
    Tested t;
    int cells = 0;
    t.sum = sum_of(errors, region, allowance, cells);
    t.has_enough = cells >= least_cells;
    if (!t.has_enough) return t;
    const double difference = t.sum.model - t.sum.bicubic;
    const double mean = difference / t.sum.samples;
    t.seems_worse = mean > least_excess * least_excess;
    t.is_worse = t.seems_worse && difference > z * deviation(errors, region, allowance, mean);
    return t;
}

int begin_of(int region, int regions, int cells) {
    return region * cells / regions;
}

// The share of one region along an axis: 1 inside, 0 outside; those of all regions sum to 1.
std::vector<float> ramp(int region, int regions, int cells, int size, int scale) {
    const double side = double(PredictionErrors::cell_px) * scale;
    const double half = double(ramp_px) * scale;
    const auto rise = [&](double from) {
        const double q = std::clamp((from + half) / (2 * half), 0.0, 1.0);
        return q * q * (3 - 2 * q);
    };
    const double begin = begin_of(region, regions, cells) * side;
    const double end = begin_of(region + 1, regions, cells) * side;
    std::vector<float> shares;
    shares.reserve(std::size_t(size));
    for (int p = 0; p < size; ++p)
        shares.push_back(float((region == 0 ? 1.0 : rise(p + 0.5 - begin)) -
                               (region + 1 == regions ? 0.0 : rise(p + 0.5 - end))));
    return shares;
}

}  // namespace

RegionVerdicts::RegionVerdicts(const PredictionErrors& others, const PredictionErrors& reference,
                               double allowance)
    : cells_across_(others.cells_across()),
      cells_down_(others.cells_down()),
      across_(std::max(1, others.low_width() / least_side_px)),
      down_(std::max(1, others.low_height() / least_side_px)),
      is_worse_(std::size_t(across_) * std::size_t(down_)),
      gains_(across_, down_, 1, std::numeric_limits<float>::quiet_NaN()) {
    constexpr double tests = 2;  // of a region
    const double z = normal_quantile(significance / (tests * double(is_worse_.size() + 1)));
    const Region whole{0, cells_across_, 0, cells_down_};
    const bool whole_others = test_of(others, whole, z).is_worse;
    const bool whole_reference = test_of(reference, whole, z, allowance).is_worse;
    PredictionErrors::Cell all;
    for (int row = 0; row < down_; ++row)
        for (int col = 0; col < across_; ++col) {
            const Region region{
                begin_of(col, across_, cells_across_), begin_of(col + 1, across_, cells_across_),
                begin_of(row, down_, cells_down_), begin_of(row + 1, down_, cells_down_)};
            const Tested tested = test_of(others, region, z);
            all.samples += tested.sum.samples;
            all.model += tested.sum.model;
            all.bicubic += tested.sum.bicubic;
            if (!tested.has_enough) continue;
            ++regions_;
            better_ += tested.sum.model <= tested.sum.bicubic;
            gains_.at(row, col) = float(std::sqrt(tested.sum.bicubic / tested.sum.samples) -
                                        std::sqrt(tested.sum.model / tested.sum.samples));
            const Tested own = test_of(reference, region, z, allowance);
            if (!tested.is_worse && !own.is_worse && !(whole_others && tested.seems_worse) &&
                !(whole_reference && own.seems_worse))
                continue;
            ++worse_;
            is_worse_[std::size_t(row) * std::size_t(across_) + std::size_t(col)] = true;
        }
    if (all.samples == 0) return;
    rms_model_ = std::sqrt(all.model / all.samples);
    rms_bicubic_ = std::sqrt(all.bicubic / all.samples);
}

void RegionVerdicts::reject_all() {
    is_worse_.assign(is_worse_.size(), true);
    worse_ = regions_;
}

RegionVerdicts::Shares::Shares(const RegionVerdicts& verdicts, int width, int height, int scale)
    : verdicts_(verdicts), shares_(std::size_t(width)) {
    for (int col = 0; col < verdicts.across_; ++col)
        across_.push_back(ramp(col, verdicts.across_, verdicts.cells_across_, width, scale));
    for (int row = 0; row < verdicts.down_; ++row)
        down_.push_back(ramp(row, verdicts.down_, verdicts.cells_down_, height, scale));
}

const std::vector<float>& RegionVerdicts::Shares::row(int y) {
    std::fill(shares_.begin(), shares_.end(), 0.0F);
    for (std::size_t row = 0; row < down_.size(); ++row) {
        const float down = down_[row][std::size_t(y)];
        for (std::size_t col = 0; down > 0 && col < across_.size(); ++col)
            for (std::size_t x = 0; verdicts_.is_worse(row, col) && x < shares_.size(); ++x)
                shares_[x] += down * across_[col][x];
    }
    return shares_;
}

}  // namespace plenosr
