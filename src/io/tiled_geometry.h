#pragma once

#include <filesystem>

#include "plenosr/image.h"
#include "plenosr/io.h"

namespace plenosr::io {

// All views in one picture of rows*height x cols*width pixels.
//   tiles:    pixel (y, x) of view (r, c) lies at (r height + y, c width + x): a contact sheet
//   lenslets: … at (y rows + r, x cols + c): each block of rows x cols pixels is one lenslet
struct Tiling {
    ViewGrid grid;
    int width = 0;  // of a view
    int height = 0;
    bool lenslets = false;

    int sheet_x(int col, int x) const { return lenslets ? x * grid.cols + col : col * width + x; }
    int sheet_y(int row, int y) const { return lenslets ? y * grid.rows + row : row * height + y; }
};

// Error(input) unless the sheet can be divided evenly.
Tiling tiling_of(const std::filesystem::path& file, int sheet_width, int sheet_height, int rows,
                 int cols, bool lenslets);

Image view_from_sheet(const Image& sheet, const Tiling& tiling, int row, int col);
void put_into_sheet(const Image& view, const Tiling& tiling, int row, int col, Image& sheet);

// How much more neighbouring pixels differ across the borders of blocks of rows x cols pixels than
// within them, the smaller figure of the two directions: near 1 for any other picture, well above
// for lenslets of this size.
double block_contrast(const Image& sheet, int rows, int cols);
inline constexpr double lenslet_contrast = 1.3;

}  // namespace plenosr::io
