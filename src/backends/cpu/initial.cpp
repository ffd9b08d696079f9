#include "backends/cpu/initial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "backends/cpu/simd_sort.h"
#include "base/median.h"
#include "kernels/rounding.h"
#include "light_field/interpolate.h"
#include "plenosr/disparity.h"

namespace plenosr::cpu {

Image enlarge_bicubic(const Image& low, const SamplingGrid& sampling, const Parallel& parallel) {
    const int scale = sampling.scale;
    Image full(low.width * scale, low.height * scale, low.channels);
    parallel.ranges(full.height, 8, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            for (int x = 0; x < full.width; ++x)
                for (int c = 0; c < low.channels; ++c)
                    full.at(y, x, c) = bicubic_at(low, sampling.to_low(x), sampling.to_low(y), c);
    });
    return full;
}

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// What the views show of up to 16 neighbouring pixels of the result: one row per view. A view that
// does not see a pixel has an infinite value there.
class Columns {
public:
    explicit Columns(std::size_t views)
        : rows_(int(views)), places_(views * sorted_columns), table_(places_.size()) {}

    // Finds where the views see the pixels (x0 + i, y), i < n. Returns whether any view sees any.
    bool find(const std::vector<Image>& views, const std::vector<ViewGeometry>& geometry,
              const Image& full_disparity, const SamplingGrid& sampling, int y, int x0, int n) {
        std::fill(places_.begin(), places_.end(), Place{unseen, unseen});
        counts_ = {};
        const float* disparity = full_disparity.values.data() + full_disparity.index(y, x0);
        for (std::size_t k = 0; k < views.size(); ++k) {
            const ViewCrop& g = geometry[k].crop;
            const Image& low_disparity = geometry[k].at_low_resolution();
            for (int i = 0; i < n; ++i) {
                const double d = double(disparity[i]);
                const double x = sampling.to_low(x0 + i - g.x0 - g.u * d);
                const double y_low = sampling.to_low(y - g.y0 - g.v * d);
                if (!(x > -0.5 && x < views[k].width - 0.5 && y_low > -0.5 &&
                      y_low < views[k].height - 0.5))
                    continue;
                const double dk =
                    double(low_disparity.at(floor_to_int(y_low + 0.5), floor_to_int(x + 0.5)));
                if (!(std::abs(dk - d) < double(same_surface))) continue;
                places_[k * sorted_columns + std::size_t(i)] = {x, y_low};
                ++counts_[std::size_t(i)];
            }
        }
        return std::any_of(counts_.begin(), counts_.end(), [](int count) { return count > 0; });
    }

    int count(int i) const { return counts_[std::size_t(i)]; }

    void read(const std::vector<Image>& views, int channel) {
        for (std::size_t k = 0; k < views.size(); ++k)
            for (std::size_t i = k * sorted_columns; i < (k + 1) * sorted_columns; ++i)
                table_[i] = places_[i].x == unseen
                                ? infinity
                                : bicubic_at(views[k], places_[i].x, places_[i].y, channel);
        sort_columns(table_.data(), rows_);
    }
    // Replaces the values by their distances from `middle`, which has a value for each column.
    void subtract(const std::array<float, sorted_columns>& middle) {
        for (std::size_t i = 0; i < table_.size(); ++i)
            table_[i] = std::abs(table_[i] - middle[i % sorted_columns]);
        sort_columns(table_.data(), rows_);
    }
    // Of column i, which at least one view sees.
    float median(int i) const {
        const int middle = count(i) / 2;
        const float upper = at(middle, i);
        return count(i) % 2 == 1 ? upper : 0.5F * (upper + at(middle - 1, i));
    }

private:
    static constexpr double unseen = -std::numeric_limits<double>::infinity();

    float at(int row, int i) const { return table_[std::size_t(row * sorted_columns + i)]; }

    int rows_;
    std::vector<Place> places_;
    std::vector<float> table_;
    std::array<int, sorted_columns> counts_ = {};
};

}  // namespace

MedianImage median_of_views(const std::vector<Image>& views,
                            const std::vector<ViewGeometry>& geometry, const Image& full_disparity,
                            const Image& enlarged_reference, const SamplingGrid& sampling,
                            const Parallel& parallel) {
    MedianImage result{enlarged_reference,
                       Image(enlarged_reference.width, enlarged_reference.height)};
    parallel.ranges(full_disparity.height, 8, [&](int begin, int end) {
        Columns columns(views.size());
        for (int y = begin; y < end; ++y)
            for (int x0 = 0; x0 < full_disparity.width; x0 += sorted_columns) {
                const int n = std::min(sorted_columns, full_disparity.width - x0);
                if (!columns.find(views, geometry, full_disparity, sampling, y, x0, n)) continue;
                for (int c = 0; c < enlarged_reference.channels; ++c) {
                    columns.read(views, c);
                    std::array<float, sorted_columns> medians = {};
                    for (int i = 0; i < n; ++i)
                        if (columns.count(i) > 0)
                            medians[std::size_t(i)] = result.median.at(y, x0 + i, c) =
                                columns.median(i);
                    if (c > 0) continue;
                    columns.subtract(medians);
                    for (int i = 0; i < n; ++i)
                        if (columns.count(i) > 0)
                            result.spread.at(y, x0 + i) = spread_of(columns.median(i));
                }
            }
    });
    return result;
}

}  // namespace plenosr::cpu
