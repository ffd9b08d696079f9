#include "io/folder_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "base/file_errors.h"
#include "io/image_file.h"
#include "io/limits.h"
#include "plenosr/error.h"

namespace plenosr::io {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    try {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            std::error_code ignored;  // a dangling link is not a regular file
            if (entry.is_regular_file(ignored)) files.push_back(entry.path());
        }
    } catch (const fs::filesystem_error& failure) {
        refuse_file(folder, failure.code().message(), "folder");
    }
    std::sort(files.begin(), files.end());
    return files;
}

bool any_file(const fs::path& folder, const std::function<bool(const fs::path&)>& is_view) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return false;
    const auto files = files_in(folder);
    return std::any_of(files.begin(), files.end(), is_view);
}

std::optional<int> parse_count(const std::string& digits, int largest) {
    int number = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || stop != end || digits.front() == '-' || number > largest) return {};
    return number;
}

bool is_whole(ViewPosition position) {
    return position.row == std::floor(position.row) && position.col == std::floor(position.col);
}

fs::path file_if_there(const fs::path& folder, const std::string& name) {
    std::error_code error;
    return fs::is_regular_file(folder / name, error) ? folder / name : fs::path();
}

GridCell cell_of(ViewPosition position, const ViewGrid& grid, const std::string& layout) {
    const double row = position.row - grid.first_row;
    const double col = position.col - grid.first_col;
    if (!is_whole(position) || !(row >= 0) || !(col >= 0) || row >= grid.rows || col >= grid.cols) {
        throw Error(ErrorKind::output,
                    fmt::format("The view at {} cannot be written in the layout {}: it is not on "
                                "the grid of {}x{} views that begins at {},{}; use the layout "
                                "list.",
                                to_string(position), layout, grid.rows, grid.cols, grid.first_row,
                                grid.first_col));
    }
    return {int(row), int(col)};
}

ViewGrid bounding_box(const std::vector<LightFieldIndex::Entry>& views) {
    if (views.empty()) return {};
    const auto by_row = [](const auto& a, const auto& b) {
        return a.position.row < b.position.row;
    };
    const auto by_col = [](const auto& a, const auto& b) {
        return a.position.col < b.position.col;
    };
    const auto [top, bottom] = std::minmax_element(views.begin(), views.end(), by_row);
    const auto [left, right] = std::minmax_element(views.begin(), views.end(), by_col);
    const auto whole = [](double value) { return int(std::lround(value)); };
    return {whole(top->position.row), whole(left->position.col),
            whole(bottom->position.row) - whole(top->position.row) + 1,
            whole(right->position.col) - whole(left->position.col) + 1};
}

void require_few_places(const fs::path& path, const ViewGrid& grid, const char* kind) {
    if (std::int64_t(grid.rows) * grid.cols <= most_places) return;
    refuse_file(path,
                fmt::format("its views span a grid of {}x{} places; at most {} are supported",
                            grid.rows, grid.cols, most_places),
                kind);
}

ViewGrid grid_of_list(const fs::path& path, std::size_t count, const OpenOptions& options) {
    if (options.rows == 0) return {0, 0, 1, int(count)};
    if (std::size_t(options.rows) * std::size_t(options.cols) != count) {
        refuse_file(path,
                    fmt::format("it holds {} views, which do not fill the grid of {}x{} that was "
                                "given",
                                count, options.rows, options.cols),
                    "light field");
    }
    return {0, 0, options.rows, options.cols};
}

ViewPosition place_in_list(const ViewGrid& grid, std::size_t number) {
    return {double(number / std::size_t(grid.cols)), double(number % std::size_t(grid.cols))};
}

fs::path centre_map(const fs::path& folder) {
    const fs::path own = file_if_there(folder, centre_map_name);
    return own.empty() ? file_if_there(folder, "gt_disp_lowres.pfm") : own;
}

namespace {

void require_inside(const ViewGrid& grid, const LightFieldIndex::Entry& view) {
    const double row = std::round(view.position.row) - grid.first_row;
    const double col = std::round(view.position.col) - grid.first_col;
    if (row < 0 || col < 0 || row >= grid.rows || col >= grid.cols) {
        refuse_file(view.file,
                    fmt::format("it lies outside the grid of {}x{} views that begins at {},{} "
                                "according to lightfield.json",
                                grid.rows, grid.cols, grid.first_row, grid.first_col),
                    "view");
    }
}

}  // namespace

IndexedViews index_by_names(const fs::path& folder, const IndexHints& hints,
                            const std::vector<NamePattern>& views, const NamePattern& map) {
    IndexedViews found;
    std::map<std::pair<int, int>, fs::path> maps;
    for (const fs::path& file : files_in(folder)) {
        const std::string name = file.filename().string();
        if (const auto place = map.match(name)) maps[{place->row, place->col}] = file;
        for (const NamePattern& pattern : views) {
            const auto place = pattern.match(name);
            if (!place) continue;
            found.views.push_back({{double(place->row), double(place->col)}, file, 0, {}});
            break;
        }
    }
    for (LightFieldIndex::Entry& view : found.views) {
        const auto own = maps.find({int(view.position.row), int(view.position.col)});
        if (own != maps.end()) view.disparity = own->second;
    }
    found.grid = hints.manifest ? hints.manifest->grid : bounding_box(found.views);
    for (const LightFieldIndex::Entry& view : found.views)
        require_inside(found.grid, view);
    return found;
}

}  // namespace plenosr::io
