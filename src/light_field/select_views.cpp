#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "plenosr/error.h"
#include "plenosr/light_field.h"

namespace plenosr {
namespace {

constexpr const char* allowed =
    "all, NxN with an odd N (3x3, 5x5 ...), cross5, star17, or a list R,C;R,C";

// Views of a real rig lie near their places, not on them; places are one step apart.
constexpr double tolerance = 0.25;

bool is_step(double offset, double step) {
    return std::abs(offset - step) < tolerance;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool parse_number(std::string_view text, double& number) {
    text = trimmed(text);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
}

// N of "NxN", 0 if the text is something else.
int square_size(std::string_view text) {
    const auto cross = text.find('x');
    if (cross == std::string_view::npos || text.substr(0, cross) != text.substr(cross + 1))
        return 0;
    int size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + cross, size);
    return error == std::errc() && end == text.data() + cross && size > 0 ? size : 0;
}

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
                        fmt::format("views = {} names the view {}, which the light field lacks.",
                                    selection, to_string(position)));
        }
        if (std::find(selected.begin(), selected.end(), position) != selected.end()) {
            throw Error(ErrorKind::invalid_option,
                        fmt::format("views = {} names the view {} twice; once is right.", selection,
                                    to_string(position)));
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
                        fmt::format("views = {} has no middle view for the reference; N must be "
                                    "odd, e.g. {}x{}.",
                                    selection, size - 1, size - 1));
        }
        constexpr double half_a_step = 0.5;
        const double reach = size / 2 + half_a_step;
        return around(reference, available,
                      [&](double v, double u) { return u < reach && v < reach; });
    }
    if (selection.find(',') != std::string::npos) return listed(selection, available);
    throw Error(ErrorKind::invalid_option,
                fmt::format("views = {} is not known; allowed are {}.", selection, allowed));
}

}  // namespace

ViewPosition parse_view_position(const std::string& text) {
    const auto comma = text.find(',');
    ViewPosition position;
    if (comma == std::string::npos ||
        !parse_number(std::string_view(text).substr(0, comma), position.row) ||
        !parse_number(std::string_view(text).substr(comma + 1), position.col)) {
        throw Error(
            ErrorKind::invalid_option,
            fmt::format("\"{}\" is no view position; write row and column as R,C, e.g. 4,4.",
                        text));
    }
    return position;
}

std::vector<ViewPosition> select_views(const std::string& selection, ViewPosition reference,
                                       const std::vector<ViewPosition>& available) {
    std::vector<ViewPosition> selected = selected_views(selection, reference, available);
    if (selected.empty()) {
        throw Error(ErrorKind::input,
                    fmt::format("views = {} around {} selects none of the {} views of the light "
                                "field.",
                                selection, to_string(reference), available.size()));
    }
    return selected;
}

}  // namespace plenosr
