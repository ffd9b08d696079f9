#include "io/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "plenosr/error.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace io {

const std::vector<LightFieldFormat>& formats() {
    static const std::vector<LightFieldFormat> all = {
        hci_format(),
        row_col_format(),
    };
    return all;
}

const LightFieldFormat* find_format(const std::string& name) {
    const auto found = std::find_if(formats().begin(), formats().end(),
                                    [&](const auto& format) { return format.name == name; });
    return found == formats().end() ? nullptr : &*found;
}

std::string format_names() {
    std::string names;
    for (const LightFieldFormat& format : formats()) {
        names += (names.empty() ? "" : ", ") + format.name;
    }
    return names;
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    try {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            std::error_code ignored;  // e.g. a link that leads nowhere: no regular file
            if (entry.is_regular_file(ignored)) files.push_back(entry.path());
        }
    } catch (const fs::filesystem_error& failure) {
        throw Error(ErrorKind::input, fmt::format("The folder {} cannot be listed: {}.",
                                                  folder.string(), failure.code().message()));
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::optional<int> parse_count(const std::string& digits, int largest) {
    int number = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || stop != end || digits.front() == '-' || number > largest) return {};
    return number;
}

fs::path file_if_there(const fs::path& folder, const std::string& name) {
    std::error_code error;
    return fs::is_regular_file(folder / name, error) ? folder / name : fs::path();
}

GridCell cell_of(ViewPosition position, const ViewGrid& grid, const char* layout) {
    const double row = position.row - grid.first_row;
    const double col = position.col - grid.first_col;
    if (row != std::floor(row) || col != std::floor(col) || !(row >= 0) || !(col >= 0) ||
        row >= grid.rows || col >= grid.cols) {
        throw Error(ErrorKind::output,
                    fmt::format("The view at {} cannot be written in the layout {}: it does not "
                                "lie on the grid of {}x{} views that begins at {},{}.",
                                to_string(position), layout, grid.rows, grid.cols, grid.first_row,
                                grid.first_col));
    }
    return {int(row), int(col)};
}

}  // namespace io

const std::vector<FormatDescription>& light_field_formats() {
    static const std::vector<FormatDescription> descriptions = [] {
        std::vector<FormatDescription> list;
        for (const io::LightFieldFormat& format : io::formats()) {
            list.push_back({format.name, format.description});
        }
        return list;
    }();
    return descriptions;
}

}  // namespace plenosr
