#pragma once

#include <filesystem>
#include <string>

#include "io/array_views.h"
#include "io/sheet_geometry.h"

namespace plenosr::io {

// Grey views side by side in an array of two axes, x before y:
//   view (r, c) at (y, x) is array[c width + x, r height + y].
// The grid is that of the options, or `usual_side` views per row and column. Error(input) if it
// does not divide the array `name` of the file into views within limits.h.
SheetGeometry mosaic_geometry(const std::filesystem::path& file, const std::string& name,
                              const Shape& shape, const OpenOptions& options, int usual_side);

// The part of the array that holds view `part`, counted row by row.
struct ArrayBlock {
    Shape start;
    Shape count;
};
ArrayBlock block_of(const SheetGeometry& geometry, int part);

// The view whose block has the elements `data`, in C order; units are those of view_of().
Image view_of_block(const char* data, Element element, const SheetGeometry& geometry);

}  // namespace plenosr::io
