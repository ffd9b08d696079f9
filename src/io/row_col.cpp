#include <fmt/format.h>

#include <algorithm>

#include "io/formats.h"
#include "io/image_file.h"
#include "plenosr/error.h"

// Views named by their place: R_C.png, with any number of leading zeros (5_9.png, 007_008.png).
// Numbering may begin anywhere.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* name = "row_col";
constexpr const char* centre_disparity = "disparity.pfm";
constexpr const char* other_disparity = "gt_disp_lowres.pfm";
constexpr const char* view_disparity_prefix = "disparity_";

// Larger numbers are something else, e.g. photographs named by date and time.
constexpr int largest = 9999;

std::optional<ViewPosition> position_of(const fs::path& file) {
    if (!has_picture_extension(file)) return {};
    const std::string stem = file.stem().string();
    const auto between = stem.find('_');
    if (between == std::string::npos || between == 0 || between + 1 == stem.size()) return {};
    const auto row = parse_count(stem.substr(0, between), largest);
    const auto col = parse_count(stem.substr(between + 1), largest);
    if (!row || !col) return {};
    return ViewPosition{double(*row), double(*col)};
}

ViewGrid bounding_box(const std::vector<LightFieldIndex::Entry>& views) {
    const auto by_row = [](const auto& a, const auto& b) {
        return a.position.row < b.position.row;
    };
    const auto by_col = [](const auto& a, const auto& b) {
        return a.position.col < b.position.col;
    };
    const auto [top, bottom] = std::minmax_element(views.begin(), views.end(), by_row);
    const auto [left, right] = std::minmax_element(views.begin(), views.end(), by_col);
    if (top == views.end()) return {};
    return {int(top->position.row), int(left->position.col),
            int(bottom->position.row - top->position.row) + 1,
            int(right->position.col - left->position.col) + 1};
}

void require_inside(const ViewGrid& grid, const LightFieldIndex::Entry& view) {
    const double row = view.position.row - grid.first_row;
    const double col = view.position.col - grid.first_col;
    if (row < 0 || col < 0 || row >= grid.rows || col >= grid.cols) {
        throw Error(
            ErrorKind::input,
            fmt::format("The view {} lies outside the grid of {}x{} views beginning at "
                        "{},{} that lightfield.json tells.",
                        view.file.string(), grid.rows, grid.cols, grid.first_row, grid.first_col));
    }
}

IndexedViews index(const fs::path& folder, const IndexHints& hints) {
    IndexedViews found;
    for (const fs::path& file : files_in(folder)) {
        if (const auto position = position_of(file)) found.views.push_back({*position, file});
    }
    found.grid = hints.grid ? *hints.grid : bounding_box(found.views);
    for (const LightFieldIndex::Entry& view : found.views)
        require_inside(found.grid, view);
    found.disparity = file_if_there(folder, centre_disparity);
    if (found.disparity.empty()) found.disparity = file_if_there(folder, other_disparity);
    return found;
}

bool detect(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return false;
    const auto files = files_in(folder);
    return std::any_of(files.begin(), files.end(),
                       [](const fs::path& file) { return position_of(file).has_value(); });
}

std::string place(ViewPosition position, const ViewGrid& grid) {
    cell_of(position, grid, name);
    if (position.row < 0 || position.col < 0 || position.row > largest || position.col > largest) {
        throw Error(ErrorKind::output,
                    fmt::format("The view at {} cannot be written in the layout {}: rows and "
                                "columns from 0 to {} have a name there.",
                                to_string(position), name, largest));
    }
    return fmt::format("{:03}_{:03}", int(position.row), int(position.col));
}

}  // namespace

LightFieldFormat row_col_format() {
    Naming naming;
    naming.view = place;
    naming.view_disparity = [](ViewPosition position, const ViewGrid& grid) {
        return fmt::format("{}{}.pfm", view_disparity_prefix, place(position, grid));
    };
    naming.centre_disparity = centre_disparity;
    naming.owns = [](const std::string& file) {
        return position_of(file) || file == centre_disparity ||
               (file.starts_with(view_disparity_prefix) && file.ends_with(".pfm"));
    };
    return {name, "a folder of R_C.png, named by row and column, any zero padding", detect, index,
            naming};
}

}  // namespace plenosr::io
