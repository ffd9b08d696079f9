#pragma once

#include <filesystem>

#include "plenosr/image.h"
#include "plenosr/io.h"

namespace plenosr::io {

// All views in one picture ("sheet") of rows * height x cols * width pixels. Pixel (y, x) of view
// (r, c) lies at
//   (r height + y, c width + x)  in a mosaic, where the views lie side by side;
//   (y rows + r, x cols + c)     with lenslets: each block of rows x cols pixels is one lenslet.
struct SheetGeometry {
    ViewGrid grid;
    int width = 0;  // of a view, pixels
    int height = 0;
    bool lenslets = false;

    int sheet_x(int col, int x) const { return lenslets ? x * grid.cols + col : col * width + x; }
    int sheet_y(int row, int y) const { return lenslets ? y * grid.rows + row : row * height + y; }
};

// Error(input) unless rows and cols divide the size of the sheet.
SheetGeometry sheet_geometry(const std::filesystem::path& file, int sheet_width, int sheet_height,
                             int rows, int cols, bool lenslets);

Image view_from_sheet(const Image& sheet, const SheetGeometry& geometry, int row, int col);
void put_into_sheet(const Image& view, const SheetGeometry& geometry, int row, int col,
                    Image& sheet);

// The mean difference of neighbouring pixels across the borders of blocks of rows x cols pixels,
// divided by that within blocks; the smaller value of the two directions. It is near 1 for pictures
// without lenslets of this size.
double block_contrast(const Image& sheet, int rows, int cols);
// Chosen by reasoning, not tuned: pictures without lenslets have about 1, whatever their content.
inline constexpr double least_lenslet_contrast = 1.3;

}  // namespace plenosr::io
