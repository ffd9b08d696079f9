#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/formats.h"

// Shared by the formats that store all views in one array.

namespace plenosr::io {

enum class Element { uint8, uint16, float32, float64 };
std::size_t size_of(Element element);
PixelFormat pixel_format(Element element);

using Shape = std::vector<std::int64_t>;
std::string to_string(const Shape& shape);  // "[9, 9, 512, 512]"

// Which axis of an array is which; -1 if the array has no such axis. The arrays that are read are
//   [row, col, y, x], [row, col, y, x, channel], [row, col, channel, y, x], [view, y, x, channel].
struct ViewAxes {
    Shape shape;
    int row = -1;
    int col = -1;
    int view = -1;
    int y = -1;
    int x = -1;
    int channel = -1;
    ViewGrid grid;

    std::int64_t length(int axis) const { return axis < 0 ? 1 : shape[std::size_t(axis)]; }
};

// Error(input) for any other shape, and for lengths beyond limits.h.
ViewAxes axes_of(const std::filesystem::path& file, const Shape& shape, const OpenOptions& options);

// The size of the whole array in bytes.
double bytes_of(const Shape& shape, Element element);

// One entry per place of the grid.
IndexedViews index_array(const std::filesystem::path& file, const ViewAxes& axes, Element element);

// The number of elements from one index to the next along each axis. The last axis is contiguous
// in C order, the first in Fortran order.
Shape strides_of(const Shape& shape, bool fortran_order);

// Options with which axes_of() finds the grid of the index again.
OpenOptions same_grid(const LightFieldIndex& index);

// Factor times the stored values of view `part`. Alpha is dropped.
Image stored_values_of(const char* data, Element element, const ViewAxes& axes,
                       const Shape& strides, int part, double factor = 1);
// View `part` in 8-bit units: uint8 as stored, uint16 times 255 / 65535, floats times 255.
Image view_of(const char* data, Element element, const ViewAxes& axes, const Shape& strides,
              int part);

// All views as one dense array [row, col, y, x, channel], or [row, col, y, x] for grey: the inverse
// of view_of(). Error(output) if a place in the box around the views is empty or a view lies
// between places.
struct DenseViews {
    Shape shape;
    Element element = Element::uint8;
    ViewGrid grid;  // the box around the views
    std::vector<char> bytes;
};
DenseViews dense_views(const std::filesystem::path& file, const LightField& light_field,
                       PixelFormat pixels, const char* layout);

// The box around the views and its views row by row. Error(output) if one is missing.
struct FullGrid {
    ViewGrid grid;
    std::vector<const Image*> views;
};
FullGrid full_grid(const std::filesystem::path& file, const LightField& light_field,
                   const char* layout);

}  // namespace plenosr::io
