#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/parameters_cfg.h"
#include "plenosr/io.h"

namespace plenosr::io {

// What a format needs to know besides the path.
struct IndexHints {
    std::optional<ViewGrid> grid;  // from lightfield.json
    Parameters parameters;         // from parameters.cfg
};

struct IndexedViews {
    ViewGrid grid;
    std::vector<LightFieldIndex::Entry> views;  // in any order
    std::filesystem::path disparity;            // of the centre view; empty if none
};

// File names of a layout that can be written. Views get the extension of their pixel format.
struct Naming {
    std::function<std::string(ViewPosition, const ViewGrid&)> view;            // "input_Cam040"
    std::function<std::string(ViewPosition, const ViewGrid&)> view_disparity;  // "….pfm"
    std::string centre_disparity;
    std::function<bool(const std::string&)> owns;  // is this a name that the layout writes?
};

// One format of light fields. To add one: write its file beside hci.cpp, declare its function
// below, and list it in formats.cpp.
struct LightFieldFormat {
    std::string name;
    std::string description;  // for help texts: what the path holds
    std::function<bool(const std::filesystem::path&)> detect;
    std::function<IndexedViews(const std::filesystem::path&, const IndexHints&)> index;
    std::optional<Naming> naming;  // nothing: the format is only read
};

LightFieldFormat hci_format();
LightFieldFormat row_col_format();

// In the order in which a path is tried.
const std::vector<LightFieldFormat>& formats();
const LightFieldFormat* find_format(const std::string& name);  // nullptr if there is none
std::string format_names();                                    // "hci, row_col"

// ---- for formats that are folders of pictures ---------------------------------------------------

// Regular files of a folder, by name. Error(input) if the folder cannot be listed.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

// Digits as a number from 0 to `largest`; nothing for other text.
std::optional<int> parse_count(const std::string& digits, int largest);

// folder / name if that is a regular file, else empty.
std::filesystem::path file_if_there(const std::filesystem::path& folder, const std::string& name);

// Where a position lies on the grid, counted from 0; Error(output) if it is between positions
// or outside: `layout` cannot name it.
struct GridCell {
    int row = 0;
    int col = 0;
};
GridCell cell_of(ViewPosition position, const ViewGrid& grid, const char* layout);

}  // namespace plenosr::io
