#include "io/parallax_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "light_field/block_shifts.h"
#include "plenosr/error.h"

namespace plenosr::io {
namespace {
// ----------------------------------------------------------------------

struct Pair {
    const Look* from = nullptr;
    const Look* to = nullptr;  // the next one along the row, or down the column
    std::vector<BlockShift> shifts;
};

std::vector<Pair> neighbours(const std::vector<Look>& looks, bool along_row) {
    std::vector<Pair> pairs;
    constexpr double near = 0.25;  // steps
    for (const Look& from : looks) {
        for (const Look& to : looks) {
            const double u = to.position.col - from.position.col;
            const double v = to.position.row - from.position.row;
            const bool next =
                std::abs((along_row ? u : v) - 1) < near && std::abs(along_row ? v : u) < near;
            if (next && from.hash != to.hash)
                pairs.push_back({&from, &to, block_shifts(from.small, to.small)});
        }
    }
    return pairs;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// The usual step of each block: the median over all pairs.
std::vector<double> usual_steps(const std::vector<Pair>& pairs, bool along_row) {
    std::vector<double> steps;
    for (std::size_t block = 0; block < pairs.front().shifts.size(); ++block) {
        std::vector<double> all;
        for (const Pair& pair : pairs) {
            const BlockShift& shift = pair.shifts[block];
            all.push_back(along_row ? shift.along_x : shift.along_y);
        }
        steps.push_back(median(all));
    }
    return steps;
}

// sum(w a b) / sum(w b^2): how many times b the steps of the pair are.
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
    constexpr std::size_t fewest = 4;
    constexpr double backwards = -0.2;
    if (pairs.size() < fewest || pairs.front().shifts.empty()) return;
    const std::vector<double> steps = usual_steps(pairs, along_row);
    for (const Pair& pair : pairs) {
        const double times = ratio_to(pair, steps, along_row);
        if (times > backwards) continue;
        findings.push_back(
            {"order",
             {pair.from->position, pair.to->position},
             fmt::format("the views {} and {} look swapped: the parallax from one "
                         "to the other is {:.1f} times the usual one",
                         to_string(pair.from->position), to_string(pair.to->position), times)});
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
    constexpr double clearly = 1.5;
    const Gains rows = gains_of(in_rows);
    const Gains columns = gains_of(in_columns);
    const bool rows_move_down = rows.along_y > clearly * rows.along_x;
    const bool columns_move_right = columns.along_x > clearly * columns.along_y;
    if (!rows_move_down || !(columns_move_right || in_columns.empty())) return false;
    findings.push_back(
        {"axes",
         {},
         "rows and columns look exchanged: from one column to the next the picture "
         "moves up or down, not sideways; if the names are meant that way, --pattern "
         "'{col}_{row}' reads them so"});
    return true;
}

// The map of the centre view, as block means at the size of the small pictures.
std::optional<std::vector<double>> map_steps(const LightFieldIndex& index, const Look& centre) {
    Image map;
    try {
        map = read_disparity(index, centre.position);
    } catch (const Error&) {
        return {};
    }
    const double to_small = double(centre.small.width) / map.width;
    std::vector<double> steps;
    for (int top = 1; top + parallax_block < centre.small.height; top += parallax_block) {
        for (int left = 1; left + parallax_block < centre.small.width; left += parallax_block) {
            double sum = 0;
            int count = 0;
            for (int y = top; y < top + parallax_block; ++y) {
                for (int x = left; x < left + parallax_block; ++x) {
                    const int my = std::min(map.height - 1, int((y + 0.5) / to_small));
                    const int mx = std::min(map.width - 1, int((x + 0.5) / to_small));
                    if (!std::isfinite(map.at(my, mx))) continue;
                    sum += double(map.at(my, mx)) * to_small;
                    ++count;
                }
            }
            steps.push_back(count > 0 ? sum / count : 0);
        }
    }
    return steps;
}

void find_wrong_sign(const LightFieldIndex& index, const std::vector<Look>& looks,
                     const std::vector<Pair>& pairs, bool along_row,
                     std::vector<Finding>& findings) {
    if (index.disparity_of(index.grid.centre()).empty()) return;
    const auto centre = std::find_if(looks.begin(), looks.end(), [&](const Look& look) {
        return look.position == index.grid.centre();
    });
    if (centre == looks.end()) return;
    const auto steps = map_steps(index, *centre);
    if (!steps) return;
    constexpr double opposite = -0.2;
    for (const Pair& pair : pairs) {
        if (pair.from != &*centre || pair.shifts.size() != steps->size()) continue;
        const double times = ratio_to(pair, *steps, along_row);
        if (times > opposite) continue;
        findings.push_back(
            {"sign",
             {pair.from->position, pair.to->position},
             fmt::format("the disparity map says the opposite of what the views show from {} to "
                         "{}: {} run the other way, or the map's sign is the opposite",
                         to_string(pair.from->position), to_string(pair.to->position),
                         along_row ? "the columns" : "the rows")});
    }
}

}  // namespace

void find_wrong_parallax(const LightFieldIndex& index, const std::vector<Look>& looks,
                         std::vector<Finding>& findings) {
    const std::vector<Pair> in_rows = neighbours(looks, true);
    const std::vector<Pair> in_columns = neighbours(looks, false);
    if (find_exchanged_axes(in_rows, in_columns, findings)) return;
    for (const bool along_row : {true, false}) {
        const std::vector<Pair>& pairs = along_row ? in_rows : in_columns;
        find_wrong_order(pairs, along_row, findings);
        find_wrong_sign(index, looks, pairs, along_row, findings);
    }
}

}  // namespace plenosr::io
