#include "io/mosaic_array.h"

#include <fmt/format.h>

#include "base/file_errors.h"
#include "io/folder_layout.h"
#include "io/hdf5_file.h"
#include "io/limits.h"

namespace plenosr::io {

SheetGeometry mosaic_geometry(const std::filesystem::path& file, const std::string& name,
                              const Shape& shape, const OpenOptions& options, int usual_side) {
    const int rows = options.rows > 0 ? options.rows : usual_side;
    const int cols = options.rows > 0 ? options.cols : usual_side;
    const std::int64_t width = shape[0];
    const std::int64_t height = shape[1];
    if (rows > most_views_per_side || cols < 1 || cols > most_views_per_side || width < cols ||
        height < rows || width % cols != 0 || height % rows != 0 ||
        width / cols > longest_side_px || height / rows > longest_side_px)
        refuse_file(file,
                    fmt::format("its array {} is a picture of {}x{} pixels, which is not {}x{} "
                                "views side by side; give their rows and columns with --grid RxC",
                                name, width, height, rows, cols),
                    hdf5_kind);
    const ViewGrid grid{0, 0, rows, cols};
    require_few_places(file, grid, hdf5_kind);
    return {grid, int(width / cols), int(height / rows), false};
}

ArrayBlock block_of(const SheetGeometry& geometry, int part) {
    const int row = part / geometry.grid.cols;
    const int col = part % geometry.grid.cols;
    return {{geometry.sheet_x(col, 0), geometry.sheet_y(row, 0)},
            {geometry.width, geometry.height}};
}

Image view_of_block(const char* data, Element element, const SheetGeometry& geometry) {
    ViewAxes axes;
    axes.shape = {1, 1, geometry.width, geometry.height};
    axes.row = 0, axes.col = 1, axes.x = 2, axes.y = 3;
    axes.grid = {0, 0, 1, 1};
    return view_of(data, element, axes, strides_of(axes.shape, false), 0);
}

}  // namespace plenosr::io
