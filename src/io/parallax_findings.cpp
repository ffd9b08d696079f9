#include "io/parallax_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/median.h"
#include "io/inspect_parameters.h"
#include "light_field/block_shifts.h"
#include "plenosr/error.h"

namespace plenosr::io {
namespace {

using namespace inspection;

struct Pair {
    const ViewSummary* from = nullptr;
    const ViewSummary* to = nullptr;  // the next view along the row or down the column
    std::vector<BlockShift> shifts;
};

// One pair per view: with the view that lies nearest to one step further.
std::vector<Pair> neighbours(const std::vector<ViewSummary>& views, bool along_row) {
    using Cell = std::pair<std::int64_t, std::int64_t>;
    const auto cell_of = [](double row, double col) {
        return Cell{std::int64_t(std::floor(row)), std::int64_t(std::floor(col))};
    };
    std::map<Cell, std::vector<const ViewSummary*>> cells;
    for (const ViewSummary& view : views)
        cells[cell_of(view.position.row, view.position.col)].push_back(&view);
    std::vector<Pair> pairs;
    for (const ViewSummary& from : views) {
        const double row = from.position.row + (along_row ? 0 : 1);
        const double col = from.position.col + (along_row ? 1 : 0);
        const ViewSummary* nearest = nullptr;
        double least = neighbour_tolerance_steps;
        // A square of two tolerances touches at most four cells.
        std::set<Cell> around;
        for (const double dy : {-neighbour_tolerance_steps, neighbour_tolerance_steps})
            for (const double dx : {-neighbour_tolerance_steps, neighbour_tolerance_steps})
                around.insert(cell_of(row + dy, col + dx));
        for (const Cell& cell : around) {
            const auto found = cells.find(cell);
            if (found == cells.end()) continue;
            for (const ViewSummary* to : found->second) {
                const double distance =
                    std::max(std::abs(to->position.row - row), std::abs(to->position.col - col));
                if (distance >= least) continue;
                least = distance;
                nearest = to;
            }
        }
        if (nearest != nullptr && from.hash != nearest->hash)
            pairs.push_back({&from, nearest, block_shifts(from.reduced, nearest->reduced)});
    }
    return pairs;
}

// The typical shift of each block: the median over all pairs.
std::vector<double> typical_shifts(const std::vector<Pair>& pairs, bool along_row) {
    std::vector<double> steps;
    for (std::size_t block = 0; block < pairs.front().shifts.size(); ++block) {
        std::vector<double> all;
        for (const Pair& pair : pairs) {
            const BlockShift& shift = pair.shifts[block];
            all.push_back(along_row ? shift.along_x : shift.along_y);
        }
        steps.push_back(upper_median(all));
    }
    return steps;
}

// The factor r that makes r times the expected shifts b fit the shifts a of the pair best:
//   r = sum(w a b) / sum(w b^2)
double ratio_to(const Pair& pair, const std::vector<double>& steps, bool along_row) {
    double product = 0;
    double square = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const BlockShift& shift = pair.shifts[i];
        const double weight = along_row ? shift.weight_x : shift.weight_y;
        product += weight * (along_row ? shift.along_x : shift.along_y) * steps[i];
        square += weight * steps[i] * steps[i];
    }
    return square > 0 ? product / square : 0;
}

void find_wrong_order(const std::vector<Pair>& pairs, bool along_row,
                      std::vector<Finding>& findings) {
    if (pairs.size() < fewest_pairs || pairs.front().shifts.empty()) return;
    const std::vector<double> steps = typical_shifts(pairs, along_row);
    for (const Pair& pair : pairs) {
        const double ratio = ratio_to(pair, steps, along_row);
        if (ratio > opposite_ratio) continue;
        findings.push_back(
            {"order",
             {pair.from->position, pair.to->position},
             fmt::format("the views {} and {} look swapped: the parallax between them is {:.1f} "
                         "times that of other neighbours",
                         to_string(pair.from->position), to_string(pair.to->position), ratio)});
    }
}

struct Gains {
    double along_x = 0;
    double along_y = 0;
};

Gains gains_of(const std::vector<Pair>& pairs) {
    Gains gains;
    for (const Pair& pair : pairs) {
        for (const BlockShift& shift : pair.shifts) {
            gains.along_x += shift.gain_x();
            gains.along_y += shift.gain_y();
        }
    }
    return gains;
}

bool find_exchanged_axes(const std::vector<Pair>& in_rows, const std::vector<Pair>& in_columns,
                         std::vector<Finding>& findings) {
    const Gains rows = gains_of(in_rows);
    const Gains columns = gains_of(in_columns);
    const bool rows_move_down = rows.along_y > axes_dominance * rows.along_x;
    const bool columns_move_right = columns.along_x > axes_dominance * columns.along_y;
    if (!rows_move_down || !(columns_move_right || in_columns.empty())) return false;
    findings.push_back(
        {"axes",
         {},
         "rows and columns look exchanged: from one column to the next the picture moves up or "
         "down, not sideways; if the file names have the column first, use --pattern "
         "'{col}_{row}'"});
    return true;
}

// The expected shift of each block from one view to the next: block means of the centre view's map
// in pixels of the reduced pictures.
std::optional<std::vector<double>> shifts_of_map(const LightFieldIndex& index,
                                                 const ViewSummary& centre) {
    Image map;
    try {
        map = read_disparity(index, centre.position);
    } catch (const Error&) {
        return {};
    }
    const double to_reduced = double(centre.reduced.width) / map.width;
    std::vector<double> steps;
    for (int top = 1; top + parallax_block < centre.reduced.height; top += parallax_block) {
        for (int left = 1; left + parallax_block < centre.reduced.width; left += parallax_block) {
            double sum = 0;
            int count = 0;
            for (int y = top; y < top + parallax_block; ++y) {
                for (int x = left; x < left + parallax_block; ++x) {
                    const int my = std::min(map.height - 1, int((y + 0.5) / to_reduced));
                    const int mx = std::min(map.width - 1, int((x + 0.5) / to_reduced));
                    if (!std::isfinite(map.at(my, mx))) continue;
                    sum += double(map.at(my, mx)) * to_reduced;
                    ++count;
                }
            }
            steps.push_back(count > 0 ? sum / count : 0);
        }
    }
    return steps;
}

void find_wrong_sign(const LightFieldIndex& index, const std::vector<ViewSummary>& views,
                     const std::vector<Pair>& pairs, bool along_row,
                     std::vector<Finding>& findings) {
    if (index.disparity_of(index.grid.centre()).empty()) return;
    const auto centre = std::find_if(views.begin(), views.end(), [&](const ViewSummary& view) {
        return view.position == index.grid.centre();
    });
    if (centre == views.end()) return;
    const auto steps = shifts_of_map(index, *centre);
    if (!steps) return;
    for (const Pair& pair : pairs) {
        if (pair.from != &*centre || pair.shifts.size() != steps->size()) continue;
        if (ratio_to(pair, *steps, along_row) > opposite_ratio) continue;
        findings.push_back(
            {"sign",
             {pair.from->position, pair.to->position},
             fmt::format("the disparity map contradicts the parallax from {} to {}: {} run the "
                         "other way, or the map has the opposite sign",
                         to_string(pair.from->position), to_string(pair.to->position),
                         along_row ? "the columns" : "the rows")});
    }
}

}  // namespace

void find_wrong_parallax(const LightFieldIndex& index, const std::vector<ViewSummary>& views,
                         std::vector<Finding>& findings) {
    const std::vector<Pair> in_rows = neighbours(views, true);
    const std::vector<Pair> in_columns = neighbours(views, false);
    if (find_exchanged_axes(in_rows, in_columns, findings)) return;
    for (const bool along_row : {true, false}) {
        const std::vector<Pair>& pairs = along_row ? in_rows : in_columns;
        find_wrong_order(pairs, along_row, findings);
        find_wrong_sign(index, views, pairs, along_row, findings);
    }
}

}  // namespace plenosr::io
