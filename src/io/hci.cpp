#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/file_errors.h"
#include "io/folder_layout.h"
#include "io/formats.h"
#include "io/image_file.h"
#include "io/limits.h"

// The HCI 4D light field benchmark: input_Cam000.png, input_Cam001.png and so on, with
//   number = cols * row + col.
// parameters.cfg holds the size of the grid.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* name = "hci";
constexpr const char* view_prefix = "input_Cam";
constexpr const char* centre_disparity = "gt_disp_lowres.pfm";
constexpr const char* view_disparity_prefix = "gt_disp_lowres_Cam";
constexpr const char* cols_key = "extrinsics.num_cams_x";
constexpr const char* rows_key = "extrinsics.num_cams_y";
constexpr int benchmark_side = 9;  // views per side if parameters.cfg does not say

// The digits of input_Cam012.png; empty for other names.
std::string number_of(const fs::path& file) {
    const std::string stem = file.stem().string();
    if (!has_picture_extension(file) || !stem.starts_with(view_prefix)) return {};
    const std::string digits = stem.substr(std::string(view_prefix).size());
    return digits.find_first_not_of("0123456789") == std::string::npos ? digits : "";
}

int views_along(const fs::path& folder, const Parameters& parameters, const char* key) {
    const auto found = parameters.find(key);
    if (found == parameters.end()) return benchmark_side;
    const auto count = parse_count(found->second, most_views_per_side);
    if (!count || *count < 1)
        refuse_file(folder / parameters_name, fmt::format("{} = {} must be a number from 1 to {}",
                                                          key, found->second, most_views_per_side));
    return *count;
}

std::string map_name(int number) {
    return fmt::format("{}{:03}.pfm", view_disparity_prefix, number);
}

ViewGrid grid_of(const fs::path& folder, const IndexHints& hints) {
    if (hints.manifest) return hints.manifest->grid;
    return {0, 0, views_along(folder, hints.parameters, rows_key),
            views_along(folder, hints.parameters, cols_key)};
}

IndexedViews index(const fs::path& folder, const IndexHints& hints) {
    IndexedViews found;
    found.grid = grid_of(folder, hints);
    const std::int64_t last_number = std::int64_t(found.grid.rows) * found.grid.cols - 1;
    for (const fs::path& file : files_in(folder)) {
        const std::string digits = number_of(file);
        if (digits.empty()) continue;
        const auto number = parse_count(
            digits, int(std::min<std::int64_t>(last_number, std::numeric_limits<int>::max())));
        if (!number)
            refuse_file(file,
                        fmt::format("its number is beyond the grid of {}x{} views, whose last "
                                    "number is {}; set {} and {} in {}",
                                    found.grid.rows, found.grid.cols, last_number, rows_key,
                                    cols_key, parameters_name),
                        "view");
        found.views.push_back({{double(found.grid.first_row + *number / found.grid.cols),
                                double(found.grid.first_col + *number % found.grid.cols)},
                               file,
                               0,
                               file_if_there(folder, map_name(*number))});
    }
    found.disparity = file_if_there(folder, centre_disparity);
    return found;
}

bool detect(const fs::path& folder, const IndexHints&) {
    return any_file(folder, [](const fs::path& file) { return !number_of(file).empty(); });
}

int number_on(const Naming::Place& place) {
    const GridCell cell = cell_of(place.position, place.grid, name);
    return place.grid.cols * cell.row + cell.col;
}

}  // namespace

LightFieldFormat hci_format() {
    Naming naming;
    naming.view = [](const Naming::Place& place) {
        return fmt::format("{}{:03}", view_prefix, number_on(place));
    };
    naming.view_disparity = [](const Naming::Place& place) { return map_name(number_on(place)); };
    naming.centre_disparity = centre_disparity;
    naming.owns = [](const std::string& file, const Manifest&) {
        return !number_of(file).empty() || file == centre_disparity ||
               (file.starts_with(view_disparity_prefix) && file.ends_with(".pfm"));
    };
    LightFieldFormat format;
    format.name = name;
    format.description = "a folder of input_CamNNN.png (HCI 4D benchmark)";
    format.disparity = "gt_disp_lowres.pfm, gt_disp_lowres_CamNNN.pfm";
    format.detect = detect;
    format.index = index;
    format.naming = naming;
    return format;
}

}  // namespace plenosr::io
