#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/formats.h"

// For formats that keep all views in one array.

namespace plenosr::io {

enum class Element { uint8, uint16, float32, float64 };
std::size_t size_of(Element element);
PixelFormat pixel_format(Element element);

using Shape = std::vector<std::int64_t>;

// Which axis of an array is which; -1: there is none. Arrays that are read are
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

// Error(input) if the shape is none of these, or absurd.
ViewAxes axes_of(const std::filesystem::path& file, const Shape& shape, const OpenOptions& options);

// Bytes of the whole array.
double bytes_of(const Shape& shape, Element element);

// One entry per place of the grid.
IndexedViews index_array(const std::filesystem::path& file, const ViewAxes& axes, Element element);

// Elements from one index to the next along each axis, the last (C) or the first (Fortran) axis
// being the dense one.
Shape c_strides(const Shape& shape);
Shape fortran_strides(const Shape& shape);

// The view `part` out of the whole array: 8 bit as it is, 16 bit times 255 / 65535, floats times
// 255; alpha is dropped.
Image view_of(const char* data, Element element, const ViewAxes& axes, const Shape& strides,
              int part);

// All views as one dense array [row, col, y, x, channel], or [row, col, y, x] for grey, and back to
// bytes: the inverse of view_of. Error(output) if a place within the box around the views is empty
// or a view lies between places.
struct DenseViews {
    Shape shape;
    Element element = Element::uint8;
    ViewGrid grid;  // of the box
    std::vector<char> bytes;
};
DenseViews dense_views(const std::filesystem::path& file, const LightField& light_field,
                       PixelFormat pixels, const char* layout);

// The box around the views, all of whose places must be taken, and the views in its order.
struct FullGrid {
    ViewGrid grid;
    std::vector<const Image*> views;
};
FullGrid full_grid(const std::filesystem::path& file, const LightField& light_field,
                   const char* layout);

}  // namespace plenosr::io
