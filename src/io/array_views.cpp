#include "io/array_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "base/file_errors.h"
#include "io/folder_layout.h"
#include "io/limits.h"
#include "io/quantise.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

bool may_be_channels(std::int64_t length) {
    return length >= 1 && length <= 4;
}

}  // namespace

std::string to_string(const Shape& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::size_t size_of(Element element) {
    switch (element) {
        case Element::uint8:
            return 1;
        case Element::uint16:
            return 2;
        case Element::float32:
            return 4;
        case Element::float64:
            break;
    }
    return 8;
}

PixelFormat pixel_format(Element element) {
    if (element == Element::uint8) return PixelFormat::bits8;
    return element == Element::uint16 ? PixelFormat::bits16 : PixelFormat::float32;
}

double bytes_of(const Shape& shape, Element element) {
    double bytes = double(size_of(element));
    for (const std::int64_t length : shape)
        bytes *= double(length);
    return bytes;
}

ViewAxes axes_of(const fs::path& file, const Shape& shape, const OpenOptions& options) {
    ViewAxes axes;
    axes.shape = shape;
    if (shape.size() == 5 && may_be_channels(shape[4])) {
        axes.row = 0, axes.col = 1, axes.y = 2, axes.x = 3, axes.channel = 4;
    } else if (shape.size() == 5 && may_be_channels(shape[2])) {
        axes.row = 0, axes.col = 1, axes.channel = 2, axes.y = 3, axes.x = 4;
    } else if (shape.size() == 4 && may_be_channels(shape[3]) && shape[2] > 4) {
        axes.view = 0, axes.y = 1, axes.x = 2, axes.channel = 3;
    } else if (shape.size() == 4) {
        axes.row = 0, axes.col = 1, axes.y = 2, axes.x = 3;
    } else {
        refuse_file(file,
                    fmt::format("its array has the shape {}; it must be [row, col, y, x], [row, "
                                "col, y, x, channel], [row, col, channel, y, x] or [view, y, x, "
                                "channel] with 1 to 4 channels",
                                to_string(shape)),
                    "light field");
    }
    const auto within = [&](int axis, std::int64_t most) {
        return axes.length(axis) >= 1 && axes.length(axis) <= most;
    };
    if (!within(axes.row, most_views_per_side) || !within(axes.col, most_views_per_side) ||
        !within(axes.view, most_views_per_side) || !within(axes.y, longest_side_px) ||
        !within(axes.x, longest_side_px))
        refuse_file(file,
                    fmt::format("its array claims the shape {}; it may have 1 to {} views and 1 to "
                                "{} pixels along each axis",
                                to_string(shape), most_views_per_side, longest_side_px),
                    "light field");
    axes.grid = axes.view < 0
                    ? ViewGrid{0, 0, int(axes.length(axes.row)), int(axes.length(axes.col))}
                    : grid_of_list(file, std::size_t(axes.length(axes.view)), options);
    require_few_places(file, axes.grid);
    return axes;
}

IndexedViews index_array(const fs::path& file, const ViewAxes& axes, Element element) {
    IndexedViews found;
    found.grid = axes.grid;
    for (int part = 0; part < axes.grid.rows * axes.grid.cols; ++part)
        found.views.push_back({place_in_list(axes.grid, std::size_t(part)), file, part, {}});
    found.image = ImageInfo{int(axes.length(axes.x)), int(axes.length(axes.y)),
                            int(axes.length(axes.channel)), pixel_format(element)};
    return found;
}

Shape strides_of(const Shape& shape, bool fortran_order) {
    Shape strides(shape.size(), 1);
    if (fortran_order)
        for (std::size_t i = 1; i < shape.size(); ++i)
            strides[i] = strides[i - 1] * shape[i - 1];
    else
        for (std::size_t i = shape.size(); i-- > 1;)
            strides[i - 1] = strides[i] * shape[i];
    return strides;
}

OpenOptions same_grid(const LightFieldIndex& index) {
    OpenOptions options;
    options.rows = index.stored_grid().rows;
    options.cols = index.stored_grid().cols;
    return options;
}

namespace {

template <class Stored>
Image gathered(const char* data, const ViewAxes& axes, const Shape& strides, int part,
               double factor) {
    const auto stride = [&](int axis) { return axis < 0 ? 0 : strides[std::size_t(axis)]; };
    const int stored_channels = int(axes.length(axes.channel));
    Image image(int(axes.length(axes.x)), int(axes.length(axes.y)), stored_channels > 2 ? 3 : 1);
    const std::int64_t begin = axes.view >= 0 ? part * stride(axes.view)
                                              : part / axes.grid.cols * stride(axes.row) +
                                                    part % axes.grid.cols * stride(axes.col);
    float* to = image.values.data();
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            for (int c = 0; c < image.channels; ++c) {
                const std::int64_t at =
                    begin + y * stride(axes.y) + x * stride(axes.x) + c * stride(axes.channel);
                Stored value;
                std::memcpy(&value, data + at * std::int64_t(sizeof(Stored)), sizeof(Stored));
                *to++ = float(double(value) * factor);
            }
        }
    }
    return image;
}

}  // namespace

Image stored_values_of(const char* data, Element element, const ViewAxes& axes,
                       const Shape& strides, int part, double factor) {
    switch (element) {
        case Element::uint8:
            return gathered<std::uint8_t>(data, axes, strides, part, factor);
        case Element::uint16:
            return gathered<std::uint16_t>(data, axes, strides, part, factor);
        case Element::float32:
            return gathered<float>(data, axes, strides, part, factor);
        case Element::float64:
            break;
    }
    return gathered<double>(data, axes, strides, part, factor);
}

Image view_of(const char* data, Element element, const ViewAxes& axes, const Shape& strides,
              int part) {
    const double to_8_bit_units = element == Element::uint8    ? 1.0
                                  : element == Element::uint16 ? 255.0 / 65535.0
                                                               : 255.0;
    return stored_values_of(data, element, axes, strides, part, to_8_bit_units);
}

FullGrid full_grid(const fs::path& file, const LightField& light_field, const char* layout) {
    const auto refuse = [&](const std::string& reason) {
        refuse_output(file,
                      fmt::format("the layout {} needs a view at every place of a grid, but {}",
                                  layout, reason),
                      "light field");
    };
    std::vector<LightFieldIndex::Entry> places;
    for (const View& view : light_field.views)
        places.push_back({view.position, {}, 0, {}});
    FullGrid full;
    full.grid = bounding_box(places);
    const std::size_t count = std::size_t(full.grid.rows) * std::size_t(full.grid.cols);
    if (count > light_field.views.size())
        refuse(
            fmt::format("{} of the {} places in the box around the views are missing; choose "
                        "views that fill a box with --views",
                        count - light_field.views.size(), count));
    std::map<std::pair<double, double>, const Image*> images;
    for (const View& view : light_field.views)
        images[{view.position.row, view.position.col}] = &view.image;
    for (std::size_t i = 0; i < count; ++i) {
        ViewPosition place = place_in_list(full.grid, i);
        place.row += full.grid.first_row;
        place.col += full.grid.first_col;
        const auto found = images.find({place.row, place.col});
        if (found == images.end()) refuse(fmt::format("there is none at {}", to_string(place)));
        full.views.push_back(found->second);
    }
    return full;
}

DenseViews dense_views(const fs::path& file, const LightField& light_field, PixelFormat pixels,
                       const char* layout) {
    const FullGrid full = full_grid(file, light_field, layout);
    DenseViews dense;
    dense.grid = full.grid;
    dense.shape = {full.grid.rows, full.grid.cols, light_field.height(), light_field.width()};
    if (light_field.channels() > 1) dense.shape.push_back(light_field.channels());
    dense.element = pixels == PixelFormat::bits8    ? Element::uint8
                    : pixels == PixelFormat::bits16 ? Element::uint16
                                                    : Element::float32;
    dense.bytes.reserve(std::size_t(bytes_of(dense.shape, dense.element)));
    const auto append = [&](const auto& values) {
        const auto* begin = reinterpret_cast<const char*>(values.data());
        dense.bytes.insert(dense.bytes.end(), begin,
                           begin + values.size() * sizeof(values.front()));
    };
    for (const Image* view : full.views) {
        if (pixels == PixelFormat::bits8)
            append(quantised<std::uint8_t>(file, *view));
        else if (pixels == PixelFormat::bits16)
            append(quantised<std::uint16_t>(file, *view));
        else
            append(one_is_white(*view));
    }
    return dense;
}

}  // namespace plenosr::io
