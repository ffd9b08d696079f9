#include "io/sheet_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/file_errors.h"

namespace plenosr::io {

SheetGeometry sheet_geometry(const std::filesystem::path& file, int sheet_width, int sheet_height,
                             int rows, int cols, bool lenslets) {
    if (rows < 1 || cols < 1 || sheet_width < cols || sheet_height < rows ||
        sheet_width % cols != 0 || sheet_height % rows != 0) {
        refuse_file(file,
                    fmt::format("{} rows and {} columns of views do not divide its {}x{} pixels "
                                "(width x height) evenly; give the right numbers with --grid RxC",
                                rows, cols, sheet_width, sheet_height),
                    "picture");
    }
    return {{0, 0, rows, cols}, sheet_width / cols, sheet_height / rows, lenslets};
}

Image view_from_sheet(const Image& sheet, const SheetGeometry& geometry, int row, int col) {
    Image view(geometry.width, geometry.height, sheet.channels);
    float* to = view.values.data();
    for (int y = 0; y < view.height; ++y) {
        for (int x = 0; x < view.width; ++x, to += sheet.channels) {
            const float* from =
                &sheet.values[sheet.index(geometry.sheet_y(row, y), geometry.sheet_x(col, x))];
            std::copy_n(from, sheet.channels, to);
        }
    }
    return view;
}

void put_into_sheet(const Image& view, const SheetGeometry& geometry, int row, int col,
                    Image& sheet) {
    const float* from = view.values.data();
    for (int y = 0; y < view.height; ++y) {
        for (int x = 0; x < view.width; ++x, from += sheet.channels) {
            float* to =
                &sheet.values[sheet.index(geometry.sheet_y(row, y), geometry.sheet_x(col, x))];
            std::copy_n(from, sheet.channels, to);
        }
    }
}

namespace {

// The mean difference of neighbours across a border, divided by that of all other neighbours.
double contrast_along(const Image& sheet, bool along_x, int period) {
    double across = 0;
    double within = 0;
    double borders = 0;
    double others = 0;
    for (int y = along_x ? 0 : 1; y < sheet.height; ++y) {
        for (int x = along_x ? 1 : 0; x < sheet.width; ++x) {
            const float before = along_x ? sheet.at(y, x - 1) : sheet.at(y - 1, x);
            const double difference = std::abs(double(sheet.at(y, x)) - double(before));
            const bool border = (along_x ? x : y) % period == 0;
            (border ? across : within) += difference;
            (border ? borders : others) += 1;
        }
    }
    if (borders == 0 || others == 0 || within <= 0) return 0;
    return (across / borders) / (within / others);
}

}  // namespace

double block_contrast(const Image& sheet, int rows, int cols) {
    if (rows < 2 || cols < 2) return 0;
    return std::min(contrast_along(sheet, true, cols), contrast_along(sheet, false, rows));
}

}  // namespace plenosr::io
