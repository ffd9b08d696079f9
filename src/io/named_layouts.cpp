#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/folder_layout.h"
#include "io/image_file.h"
#include "plenosr/error.h"

// Folders whose file names contain the row and the column of the view.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

// ---- row_col: R_C.png, with any number of leading zeros; numbering may begin anywhere

const char* const row_col_name = "row_col";
const char* const default_pattern = "{row:3}_{col:3}";

NamePattern row_col_pattern(const std::string& pattern) {
    return NamePattern(pattern.empty() ? default_pattern : pattern);
}

IndexedViews index_row_col(const fs::path& folder, const IndexHints& hints) {
    // A pattern from the user selects other files than the manifest describes.
    const bool from_user = !hints.options.pattern.empty();
    IndexHints known = hints;
    if (from_user) known.manifest.reset();
    const std::string pattern = from_user        ? hints.options.pattern
                                : hints.manifest ? hints.manifest->pattern
                                                 : std::string();
    IndexedViews found =
        index_by_names(folder, known, {row_col_pattern(pattern)}, NamePattern(view_map_pattern));
    found.disparity = centre_map(folder);
    return found;
}

GridCell row_col_of(const Naming::Place& place) {
    cell_of(place.position, place.grid, row_col_name);
    const double last = NamePattern::largest;
    const ViewPosition at = place.position;
    if (at.row < 0 || at.col < 0 || at.row > last || at.col > last) {
        throw Error(ErrorKind::output,
                    fmt::format("The view at {} cannot be written in the layout {}: its row and "
                                "column must be from 0 to {}.",
                                to_string(at), row_col_name, last));
    }
    return {int(at.row), int(at.col)};
}

// ---- inria: lf_R_C.png, counted from 1

const NamePattern& inria_view() {
    static const NamePattern pattern("lf_{row}_{col}");
    return pattern;
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
        return NamePattern(view_map_pattern).name_of(cell.row, cell.col) + ".pfm";
    };
    naming.centre_disparity = centre_map_name;
    naming.owns = [](const std::string& file, const Manifest& manifest) {
        return row_col_pattern(manifest.pattern).match(file) ||
               NamePattern(view_map_pattern).match(file) || file == centre_map_name;
    };
    LightFieldFormat format;
    format.name = row_col_name;
    format.description = "a folder of R_C.png, or of names that match --pattern";
    format.disparity = "disparity.pfm, disparity_RRR_CCC.pfm";
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
    format.description = "a folder of lf_R_C.png (synthetic sets of Inria)";
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

LightFieldFormat lfbm5d_format() {
    LightFieldFormat format;
    static const NamePattern pattern("{name}_{row}_{col}");
    format.name = "lfbm5d";
    format.description = "a folder of NAME_R_C.png with one NAME, e.g. SAI_01_01.png";
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
        IndexedViews found =
            index_by_names(folder, hints, {pattern}, NamePattern(view_map_pattern));
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
