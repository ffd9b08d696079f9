#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/text.h"
#include "plenosr/error.h"
#include "plenosr/light_field.h"

namespace plenosr {
namespace {

constexpr const char* allowed =
    "all, NxN with an odd N (e.g. 3x3), cross5, star17, or a list R,C;R,C";

// Views of a real rig lie near the places of the grid, which are one step apart. Chosen by
// reasoning, not tuned: at half a step a view would be equally near to two places, and this is half
// of that.
constexpr double place_tolerance_steps = 0.25;

bool is_step(double offset, double step) {
    return std::abs(offset - step) < place_tolerance_steps;
}

// N of "NxN", 0 for other texts.
int square_size(std::string_view text) {
    const auto cross = text.find('x');
    if (cross == std::string_view::npos || text.substr(0, cross) != text.substr(cross + 1))
        return 0;
    int size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + cross, size);
    return error == std::errc() && end == text.data() + cross && size > 0 ? size : 0;
}

// The available views whose distances (rows, columns) from the reference fulfil the rule.
template <class Rule>
std::vector<ViewPosition> around(ViewPosition reference, const std::vector<ViewPosition>& available,
                                 Rule rule) {
    std::vector<ViewPosition> selected;
    std::copy_if(available.begin(), available.end(), std::back_inserter(selected),
                 [&](ViewPosition position) {
                     return rule(std::abs(position.row - reference.row),
                                 std::abs(position.col - reference.col));
                 });
    return selected;
}

std::vector<ViewPosition> listed(const std::string& selection,
                                 const std::vector<ViewPosition>& available) {
    std::vector<ViewPosition> selected;
    std::size_t begin = 0;
    while (begin <= selection.size()) {
        const std::size_t end = std::min(selection.find(';', begin), selection.size());
        const ViewPosition position = parse_view_position(selection.substr(begin, end - begin));
        if (std::find(available.begin(), available.end(), position) == available.end()) {
            throw Error(ErrorKind::input,
                        fmt::format("views = {} names the view {}, which is missing in the light "
                                    "field.",
                                    selection, to_string(position)));
        }
        if (std::find(selected.begin(), selected.end(), position) != selected.end()) {
            throw Error(ErrorKind::invalid_option,
                        fmt::format("views = {} names the view {} twice; each view may occur once.",
                                    selection, to_string(position)));
        }
        selected.push_back(position);
        begin = end + 1;
    }
    return selected;
}

std::vector<ViewPosition> selected_views(const std::string& selection, ViewPosition reference,
                                         const std::vector<ViewPosition>& available) {
    if (selection == "all") return available;
    if (selection == "cross5") {
        return around(reference, available, [](double v, double u) {
            return is_step(u + v, 0) || (is_step(u, 0) && is_step(v, 1)) ||
                   (is_step(u, 1) && is_step(v, 0));
        });
    }
    if (selection == "star17") {
        return around(reference, available, [](double v, double u) {
            const double reach = std::max(u, v);
            const bool on_ring = is_step(reach, 0) || is_step(reach, 1) || is_step(reach, 2);
            return on_ring && (is_step(u, 0) || is_step(v, 0) || is_step(u, v));
        });
    }
    if (const int size = square_size(selection); size > 0) {
        if (size % 2 == 0) {
            throw Error(ErrorKind::invalid_option,
                        fmt::format("views = {} has no middle view; N must be odd, e.g. {}x{}.",
                                    selection, size - 1, size - 1));
        }
        constexpr double half_a_step = 0.5;
        const double reach = size / 2 + half_a_step;
        return around(reference, available,
                      [&](double v, double u) { return u < reach && v < reach; });
    }
    if (selection.find(',') != std::string::npos) return listed(selection, available);
    throw Error(ErrorKind::invalid_option,
                fmt::format("views = {} is unknown; it must be {}.", selection, allowed));
}

}  // namespace

ViewPosition parse_view_position(const std::string& text) {
    const auto comma = text.find(',');
    if (comma != std::string::npos) {
        const auto row = parse_finite(trimmed(std::string_view(text).substr(0, comma)));
        const auto col = parse_finite(trimmed(std::string_view(text).substr(comma + 1)));
        if (row && col) return {*row, *col};
    }
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("\"{}\" is not a view position; it must be row and column R,C, e.g. 4,4.",
                    text));
}

std::vector<ViewPosition> select_views(const std::string& selection, ViewPosition reference,
                                       const std::vector<ViewPosition>& available) {
    std::vector<ViewPosition> selected = selected_views(selection, reference, available);
    if (selected.empty()) {
        throw Error(ErrorKind::input,
                    fmt::format("views = {} around {} selects none of the {} views of the light "
                                "field; choose others with --views.",
                                selection, to_string(reference), available.size()));
    }
    return selected;
}

}  // namespace plenosr
