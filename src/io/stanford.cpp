#include "io/stanford.h"

#include <cmath>

#include "base/file_errors.h"
#include "io/folder_layout.h"

// The Stanford archives: out_RR_CC_y_x_.png, where y and x are the true positions of the gantry.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

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

// The slope of the least-squares line; 0 if all x are equal.
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

}  // namespace

bool is_stanford_name(const fs::path& file) {
    return stanford_match(file).has_value();
}

// Converts the gantry's millimetres to steps between views, equal along rows and columns:
//   row = row_0 + (y - y_0) / (± s),  col = col_0 + (x - x_0) / (± s).
// s is the mean of the two fitted steps, and the signs are those of the fits. View 0 is the one
// nearest to the middle of the grid; it keeps whole numbers.
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
        refuse_file(folder,
                    "its file names hold no usable positions: y and x of out_RR_CC_y_x_.png must "
                    "increase or decrease with row and column",
                    "light field");
    }
    const ViewPosition centre = found.grid.centre();
    std::size_t middle = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto distance = [&](std::size_t k) {
            return std::hypot(rows[k] - centre.row, cols[k] - centre.col);
        };
        if (distance(i) < distance(middle)) middle = i;
    }
    for (std::size_t i = 0; i < rows.size() && step > 0; ++i) {
        const double y = ys[i] - ys[middle];
        const double x = xs[i] - xs[middle];
        found.views[i].position = {
            along_y == 0 ? rows[i] : rows[middle] + y / std::copysign(step, along_y),
            along_x == 0 ? cols[i] : cols[middle] + x / std::copysign(step, along_x)};
    }
}

LightFieldFormat stanford_format() {
    LightFieldFormat format;
    format.name = "stanford";
    format.description = "a folder of out_RR_CC_y_x_.png with true positions";
    format.disparity = "disparity.pfm";
    format.detect = [](const fs::path& folder, const IndexHints&) {
        return any_file(folder, is_stanford_name);
    };
    format.index = [](const fs::path& folder, const IndexHints& hints) {
        IndexedViews found =
            index_by_names(folder, hints, stanford_views(), NamePattern(view_map_pattern));
        if (!found.views.empty()) use_true_positions(folder, found);
        found.disparity = centre_map(folder);
        return found;
    };
    return format;
}

}  // namespace plenosr::io
