#include "plenosr/view_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "disparity/parallax_order.h"
#include "light_field/smooth.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

// Chosen by reasoning, then checked on the benchmark's scenes, Lytro captures and rendered scenes
// in all eight orders, with and without noise (tests/disparity/view_order_test.cpp). Sensitivity
// was not measured.
constexpr int largest_side = 256;               // pixels of the reduced pictures: bounds the time
constexpr int farthest_step = 2;                // views from the centre: 5 x 5 views are examined
constexpr std::size_t fewest_views = 4;         // besides the centre
constexpr double detail_sigma = 4;              // pixels: coarser brightness is vignetting
constexpr double noise_sigma = 0.7;             // pixels: finer detail is noise and aliasing
constexpr double clear_significance = 4;        // standard errors: chance has 3 in 100000
constexpr double clear_ratio = 1.05;            // of the costs of two orders
constexpr std::size_t fewest_occlusions = 100;  // pixels: fewer may be errors of the map
constexpr int labels_for_occlusions = 24;       // a coarse map suffices for a sign
constexpr double clear_occlusions = 2;          // ratio of the two counts

struct Examined {
    Image reference;                  // as it is, reduced
    Image detail;                     // without coarse brightness
    std::vector<NumberedView> views;  // as they are, reduced
    std::vector<NumberedView> details;
};

Image reduced(const ImageView& image, double factor) {
    const Image y = luma(image);
    return factor == 1
               ? y
               : resize(y, std::max(1, int(y.width * factor)), std::max(1, int(y.height * factor)));
}

Image detail_of(const Image& image) {
    Image result = smoothed(image, noise_sigma);
    const Image coarse = smoothed(image, detail_sigma);
    for (std::size_t i = 0; i < result.values.size(); ++i)
        result.values[i] -= coarse.values[i];
    return result;
}

// The eight views at the distance `step` from the centre, along rows, columns and diagonals.
bool is_around(double u, double v, int step) {
    const auto fits = [&](double w) { return w == 0 || std::abs(w) == step; };
    return fits(u) && fits(v) && (u != 0 || v != 0);
}

std::vector<std::size_t> views_around(const LightFieldView& field, ViewPosition centre) {
    std::vector<std::size_t> found;
    for (int step = farthest_step; step >= 1 && found.size() < fewest_views; --step) {
        found.clear();
        for (std::size_t k = 0; k < field.views.size(); ++k) {
            const ViewPosition p = field.views[k].position;
            if (is_around(p.col - centre.col, p.row - centre.row, step)) found.push_back(k);
        }
    }
    return found;
}

Examined examined(const LightFieldView& field, ViewPosition centre, double factor) {
    Examined result;
    result.reference = reduced(field.find(centre)->image, factor);
    result.detail = detail_of(result.reference);
    for (const std::size_t k : views_around(field, centre)) {
        const PlacedView& view = field.views[k];
        const double u = view.position.col - centre.col;
        const double v = view.position.row - centre.row;
        result.views.push_back({u, v, reduced(view.image, factor)});
        result.details.push_back({u, v, detail_of(result.views.back().image)});
    }
    return result;
}

// The map at the size of the reduced pictures, in their pixels; gaps become 0.
Image reduced_map(const Image& map, const Image& size) {
    Image result(size.width, size.height);
    const double factor = double(size.width) / map.width;
    for (int y = 0; y < result.height; ++y)
        for (int x = 0; x < result.width; ++x) {
            const float d =
                map.at(std::min(map.height - 1, int((y + 0.5) * map.height / size.height)),
                       std::min(map.width - 1, int((x + 0.5) / factor)));
            if (std::isfinite(d)) result.at(y, x) = float(double(d) * factor);
        }
    return result;
}

bool is_clear(const Advantage& a) {
    return a.significance >= clear_significance && a.ratio >= clear_ratio;
}

std::size_t best_of(const BlockCosts& costs) {
    std::vector<double> sums(costs.front().size(), 0.0);
    for (const auto& block : costs)
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] += block[i];
    return std::size_t(std::min_element(sums.begin(), sums.end()) - sums.begin());
}

// The renumbering that is clearly better than every other one; nothing if there is none.
std::optional<GridSymmetry> clearly_best(const BlockCosts& costs,
                                         const std::vector<GridSymmetry>& renumberings) {
    if (costs.size() < 2) return {};
    const std::size_t best = best_of(costs);
    for (std::size_t i = 0; i < renumberings.size(); ++i)
        if (i != best && !is_clear(advantage(costs, i, best))) return {};
    return renumberings[best];
}

// 1: the larger disparity is in front, as it must be; -1: the smaller one; 0: not decided.
int front_of(const Examined& e, const GridSymmetry& order, const Image& map) {
    const Occlusions seen = occlusions(e.reference, e.views, order, map);
    const auto larger = double(seen.larger_in_front);
    const auto smaller = double(seen.smaller_in_front);
    if (seen.larger_in_front + seen.smaller_in_front < fewest_occlusions) return 0;
    return larger > clear_occlusions * smaller ? 1 : smaller > clear_occlusions * larger ? -1 : 0;
}

// The examined views at their new places.
LightField renumbered(const Examined& e, const GridSymmetry& order) {
    LightField result;
    result.grid = {-farthest_step, -farthest_step, 2 * farthest_step + 1, 2 * farthest_step + 1};
    result.views.push_back({{0, 0}, e.reference});
    for (const NumberedView& view : e.views) {
        const auto [u, v] = order.of(view.u, view.v);
        result.views.push_back({{v, u}, view.image});
    }
    return result;
}

std::string words_for(const ViewOrder& order) {
    std::string text;
    const auto add = [&](bool wrong, const char* words) {
        if (wrong) text += (text.empty() ? "" : ", and ") + std::string(words);
    };
    add(order.transposed, "rows and columns are exchanged");
    add(order.rows_mirrored, "the rows count from the bottom");
    add(order.cols_mirrored, "the columns count from the right");
    add(order.map_inverted, "the disparity map has the opposite sign");
    return text;
}

ViewOrder described(ViewOrder order, bool sign_is_known) {
    if (!order.decided)
        order.note =
            "the parallax of the views does not show whether their rows and columns are in order; "
            "nothing was changed";
    else if (!order.is_right())
        order.note = fmt::format(
            "the parallax of the views shows that {}; this was corrected "
            "(--order given keeps the order){}",
            words_for(order),
            sign_is_known ? "" : "; occlusions do not show whether both count from the wrong end");
    else if (!sign_is_known)
        order.note =
            "the occlusions in the views do not show whether rows and columns both count from "
            "the wrong end; nothing was changed";
    return order;
}

}  // namespace

ViewOrder find_view_order(const LightFieldView& all, const Image& map) {
    ViewOrder order;
    // The views around the centre, or around the view that is nearest to it.
    LightFieldView field;
    const auto distance = [&](ViewPosition p) {
        return std::hypot(p.row - all.grid.centre().row, p.col - all.grid.centre().col);
    };
    const ViewPosition centre =
        std::min_element(all.views.begin(), all.views.end(),
                         [&](const PlacedView& a, const PlacedView& b) {
                             return distance(a.position) < distance(b.position);
                         })
            ->position;
    for (const PlacedView& view : all.views)
        if (std::max(std::abs(view.position.row - centre.row),
                     std::abs(view.position.col - centre.col)) <= farthest_step)
            field.views.push_back(view);
    const double factor =
        std::min(1.0, double(largest_side) / std::max(field.width(), field.height()));
    const Examined e = examined(field, centre, factor);
    const auto has_move = [&](bool along_row) {
        return std::any_of(e.views.begin(), e.views.end(), [&](const NumberedView& view) {
            return along_row ? view.u != 0 : view.v != 0;
        });
    };
    if (e.views.size() < fewest_views || !has_move(true) || !has_move(false)) return order;

    std::optional<GridSymmetry> found;
    Image used;
    if (!map.empty()) {
        std::vector<GridSymmetry> all_orders;
        for (const bool transposed : {false, true})
            for (const int sign_u : {1, -1})
                for (const int sign_v : {1, -1})
                    all_orders.push_back({transposed, sign_u, sign_v});
        used = reduced_map(map, e.reference);
        found = clearly_best(parallax_costs(e.detail, e.details, all_orders, used), all_orders);
    }
    const bool by_map = found.has_value();
    if (!found) {
        const std::vector<GridSymmetry> orders = {
            {false, 1, 1}, {false, -1, 1}, {true, 1, 1}, {true, -1, 1}};
        found = clearly_best(parallax_costs(e.detail, e.details, orders), orders);
    }
    if (!found) {
        order.decided = order.sign_decided = false;
        return described(order, false);
    }
    if (!by_map) {
        DisparityOptions coarse;
        coarse.labels = labels_for_occlusions;
        coarse.force = true;  // a map of few views serves as well
        used = estimate_disparity(renumbered(e, *found), {0, 0}, coarse).disparity;
    }
    const int front = front_of(e, *found, used);
    order.sign_decided = front != 0;
    order.map_inverted = by_map && front < 0;
    if (front < 0) found->sign_u *= -1, found->sign_v *= -1;
    order.transposed = found->transposed;
    order.cols_mirrored = found->sign_u < 0;
    order.rows_mirrored = found->sign_v < 0;
    // A map that explains the views determines the sign as well.
    return described(order, by_map || order.sign_decided);
}

ViewOrder find_view_order(const LightFieldIndex& index, const Progress& progress) {
    // Between the frames of a sequence anything may move.
    if (index.grid.rows < 2 || index.grid.cols < 2) return {};
    const ViewPosition centre = index.grid.centre();
    std::vector<ViewPosition> positions;
    for (const ViewPosition p : index.positions())
        if (std::max(std::abs(p.row - centre.row), std::abs(p.col - centre.col)) <= farthest_step)
            positions.push_back(p);
    if (positions.size() <= fewest_views) return {};
    Image map;
    try {
        if (!index.disparity_of(centre).empty()) map = read_disparity(index, centre);
    } catch (const Error&) {  // whoever needs the map says what is wrong with it
    }
    return find_view_order(read_light_field(index, positions, progress), map);
}

LightFieldIndex in_right_order(LightFieldIndex index, const ViewOrder& order) {
    if (order.is_right()) return index;
    const ViewGrid before = index.grid;
    if (index.grid_in_file.rows == 0) index.grid_in_file = before;
    // The centre of a grid with an even number of views may become another view: maps stay with
    // their views.
    const ViewPosition old_centre = before.centre();
    if (order.transposed)
        index.grid = {before.first_col, before.first_row, before.cols, before.rows};
    const ViewGrid& grid = index.grid;
    for (LightFieldIndex::Entry& entry : index.views) {
        if (entry.position == old_centre && entry.disparity.empty())
            entry.disparity = index.disparity;
        ViewPosition& p = entry.position;
        if (order.transposed) std::swap(p.row, p.col);
        if (order.rows_mirrored) p.row = 2.0 * grid.first_row + grid.rows - 1 - p.row;
        if (order.cols_mirrored) p.col = 2.0 * grid.first_col + grid.cols - 1 - p.col;
    }
    if (order.map_inverted) index.disparity_factor = -index.disparity_factor;
    std::sort(index.views.begin(), index.views.end(), [](const auto& a, const auto& b) {
        return std::tie(a.position.row, a.position.col) < std::tie(b.position.row, b.position.col);
    });
    index.disparity.clear();
    index.disparity = index.disparity_of(grid.centre());
    return index;
}

}  // namespace plenosr
