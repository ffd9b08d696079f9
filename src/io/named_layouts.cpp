#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "io/folder_layout.h"
#include "io/image_file.h"
#include "plenosr/error.h"

// Folders whose files are named by the place of the view on the grid.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* centre_disparity = "disparity.pfm";
constexpr const char* other_disparity = "gt_disp_lowres.pfm";

fs::path centre_map(const fs::path& folder) {
    const fs::path own = file_if_there(folder, centre_disparity);
    return own.empty() ? file_if_there(folder, other_disparity) : own;
}

// ---- row_col: R_C.png, with any number of leading zeros; numbering may begin anywhere
// ------------

const char* const row_col_name = "row_col";
const char* const usual_pattern = "{row:3}_{col:3}";
const char* const map_pattern = "disparity_{row:3}_{col:3}.pfm";

NamePattern row_col_pattern(const std::string& given) {
    return NamePattern(given.empty() ? usual_pattern : given);
}

IndexedViews index_row_col(const fs::path& folder, const IndexHints& hints) {
    // A pattern from the user means other names than those that a manifest speaks of.
    const bool told = !hints.options.pattern.empty();
    IndexHints known = hints;
    if (told) known.manifest.reset();
    const std::string given = told             ? hints.options.pattern
                              : hints.manifest ? hints.manifest->pattern
                                               : std::string();
    IndexedViews found =
        index_by_names(folder, known, {row_col_pattern(given)}, NamePattern(map_pattern));
    found.disparity = centre_map(folder);
    return found;
}

GridCell row_col_of(const Naming::Place& place) {
    cell_of(place.position, place.grid, row_col_name);
    const double last = NamePattern::largest;
    const ViewPosition at = place.position;
    if (at.row < 0 || at.col < 0 || at.row > last || at.col > last) {
        throw Error(ErrorKind::output,
                    fmt::format("The view at {} cannot be written in the layout {}: rows and "
                                "columns from 0 to {} have a name there.",
                                to_string(at), row_col_name, last));
    }
    return {int(at.row), int(at.col)};
}

// ---- Inria's synthetic sets: lf_R_C.png, counted from 1 -----------------------------------------

const NamePattern& inria_view() {
    static const NamePattern pattern("lf_{row}_{col}");
    return pattern;
}

// ---- Stanford: out_RR_CC_y_x_.png, where y and x are the gantry's true positions
// ------------------

const std::vector<NamePattern>& stanford_views() {
    static const std::vector<NamePattern> patterns = {NamePattern("out_{row}_{col}_{y}_{x}_"),
                                                      NamePattern("out_{row}_{col}_{y}_{x}")};
    return patterns;
}

std::optional<NamePattern::Match> stanford_match(const fs::path& file) {
    for (const NamePattern& pattern : stanford_views()) {
        if (auto found = pattern.match(file.filename().string())) return found;
    }
    return {};
}

// The slope of the line that fits the points best; 0 if all have one abscissa.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
    double mean_x = 0;
    double mean_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mean_x += x[i] / double(x.size());
        mean_y += y[i] / double(x.size());
    }
    double xx = 0;
    double xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return xx > 0 ? xy / xx : 0;
}

// The gantry's millimetres become steps between views, the same along rows and columns:
//   row = row_0 + (y - y_0) / (± s),  col = col_0 + (x - x_0) / (± s),
// s the mean of the two fitted steps, the signs those of the fit, view 0 the one nearest to the
// middle of the grid, which so keeps whole numbers.
void use_true_positions(const fs::path& folder, IndexedViews& found) {
    std::vector<double> rows, cols, ys, xs;
    for (const LightFieldIndex::Entry& view : found.views) {
        const auto match = stanford_match(view.file);
        rows.push_back(match->row);
        cols.push_back(match->col);
        ys.push_back(match->y);
        xs.push_back(match->x);
    }
    const double along_y = slope(rows, ys);
    const double along_x = slope(cols, xs);
    const int axes = int(along_y != 0) + int(along_x != 0);
    const double step = axes > 0 ? (std::abs(along_y) + std::abs(along_x)) / axes : 0;
    if (!std::isfinite(step) || (found.views.size() > 1 && !(step > 0))) {
        throw Error(ErrorKind::input,
                    fmt::format("The names in {} tell no usable positions: y and x of "
                                "out_RR_CC_y_x_.png must grow or fall with row and column.",
                                folder.string()));
    }
    const ViewPosition centre = found.grid.centre();
    std::size_t middle = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto far = [&](std::size_t k) {
            return std::hypot(rows[k] - centre.row, cols[k] - centre.col);
        };
        if (far(i) < far(middle)) middle = i;
    }
    for (std::size_t i = 0; i < rows.size() && step > 0; ++i) {
        const double y = ys[i] - ys[middle];
        const double x = xs[i] - xs[middle];
        found.views[i].position = {
            along_y == 0 ? rows[i] : rows[middle] + y / std::copysign(step, along_y),
            along_x == 0 ? cols[i] : cols[middle] + x / std::copysign(step, along_x)};
    }
}

}  // namespace

LightFieldFormat row_col_format() {
    Naming naming;
    naming.view = [](const Naming::Place& place) {
        const GridCell cell = row_col_of(place);
        return row_col_pattern(place.pattern).name_of(cell.row, cell.col);
    };
    naming.view_disparity = [](const Naming::Place& place) {
        const GridCell cell = row_col_of(place);
        return NamePattern(map_pattern).name_of(cell.row, cell.col) + ".pfm";
    };
    naming.centre_disparity = centre_disparity;
    naming.owns = [](const std::string& file, const Manifest& manifest) {
        return row_col_pattern(manifest.pattern).match(file) ||
               NamePattern(map_pattern).match(file) || file == centre_disparity;
    };
    LightFieldFormat format;
    format.name = row_col_name;
    format.description = "a folder of R_C.png, named by row and column, or as --pattern says";
    format.disparity = "disparity.pfm or gt_disp_lowres.pfm, disparity_RRR_CCC.pfm";
    format.detect = [](const fs::path& folder, const IndexHints& hints) {
        const NamePattern pattern = row_col_pattern(hints.options.pattern);
        return any_file(folder, [&](const fs::path& file) {
            return pattern.match(file.filename().string()).has_value();
        });
    };
    format.index = index_row_col;
    format.naming = naming;
    return format;
}

LightFieldFormat inria_format() {
    LightFieldFormat format;
    format.name = "inria";
    format.description = "a folder of lf_R_C.png (Inria's synthetic sets)";
    format.disparity = "disparity_R_C.npy";
    format.detect = [](const fs::path& folder, const IndexHints&) {
        return any_file(folder, [](const fs::path& file) {
            return inria_view().match(file.filename().string()).has_value();
        });
    };
    format.index = [](const fs::path& folder, const IndexHints& hints) {
        IndexedViews found =
            index_by_names(folder, hints, {inria_view()}, NamePattern("disparity_{row}_{col}.npy"));
        found.disparity = centre_map(folder);
        return found;
    };
    return format;
}

LightFieldFormat stanford_format() {
    LightFieldFormat format;
    format.name = "stanford";
    format.description = "a folder of out_RR_CC_y_x_.png, whose names tell the true positions";
    format.disparity = "disparity.pfm";
    format.detect = [](const fs::path& folder, const IndexHints&) {
        return any_file(folder,
                        [](const fs::path& file) { return stanford_match(file).has_value(); });
    };
    format.index = [](const fs::path& folder, const IndexHints& hints) {
        IndexedViews found =
            index_by_names(folder, hints, stanford_views(), NamePattern(map_pattern));
        if (!found.views.empty()) use_true_positions(folder, found);
        found.disparity = centre_map(folder);
        return found;
    };
    return format;
}

LightFieldFormat lfbm5d_format() {
    LightFieldFormat format;
    static const NamePattern pattern("{name}_{row}_{col}");
    format.name = "lfbm5d";
    format.description = "a folder of NAME_R_C.png with one NAME (SAI_01_01.png, as for LFBM5D)";
    format.disparity = "disparity.pfm, disparity_RRR_CCC.pfm";
    format.detect = [](const fs::path& folder, const IndexHints&) {
        std::set<std::string> names;
        std::error_code error;
        if (!fs::is_directory(folder, error)) return false;
        for (const fs::path& file : files_in(folder)) {
            if (const auto match = pattern.match(file.filename().string()))
                if (match->name != "disparity") names.insert(match->name);
        }
        return names.size() == 1;
    };
    format.index = [](const fs::path& folder, const IndexHints& hints) {
        IndexedViews found = index_by_names(folder, hints, {pattern}, NamePattern(map_pattern));
        std::erase_if(found.views, [](const LightFieldIndex::Entry& view) {
            return pattern.match(view.file.filename().string())->name == "disparity";
        });
        if (!hints.manifest) found.grid = bounding_box(found.views);
        found.disparity = centre_map(folder);
        return found;
    };
    return format;
}

}  // namespace plenosr::io
