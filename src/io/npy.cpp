#include "io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/file_errors.h"
#include "base/output_batch.h"
#include "io/array_views.h"
#include "io/input_file.h"
#include "io/memory_limit.h"

// NPY: one array that holds all views.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "NPY file";

// A whole array in this machine's byte order.
struct NpyArray {
    NpyHeader header;
    Shape strides;
    std::string bytes;

    const char* data() const { return bytes.data() + header.size; }
};

NpyArray array_of(const fs::path& file, std::string bytes) {
    NpyArray array{parse_npy_header(file, bytes), {}, std::move(bytes)};
    const NpyHeader& header = array.header;
    require_npy_length(file, header, double(array.bytes.size()));
    array.strides = strides_of(header.shape, header.fortran_order);
    if (!header.swap_bytes) return array;
    const std::size_t size = size_of(header.element);
    for (std::size_t at = header.size; at + size <= array.bytes.size(); at += size)
        std::reverse(array.bytes.begin() + std::ptrdiff_t(at),
                     array.bytes.begin() + std::ptrdiff_t(at + size));
    return array;
}

}  // namespace

void require_npy_length(const fs::path& file, const NpyHeader& header, double file_bytes) {
    const double expected = bytes_of(header.shape, header.element);
    const double stored = file_bytes - double(header.size);
    if (expected != stored)
        refuse_file(file,
                    fmt::format("an array of the shape {} takes {:.0f} bytes after the header, but "
                                "there are {:.0f}",
                                to_string(header.shape), expected, std::max(0.0, stored)),
                    kind);
}

ViewReader npy_view_reader(const fs::path& file, std::string bytes, const OpenOptions& options) {
    const auto array = std::make_shared<const NpyArray>(array_of(file, std::move(bytes)));
    const ViewAxes axes = axes_of(file, array->header.shape, options);
    return [=](const LightFieldIndex::Entry& entry) {
        return view_of(array->data(), array->header.element, axes, array->strides, entry.part);
    };
}

LightFieldFormat npy_format() {
    LightFieldFormat format;
    format.name = "npy";
    format.description = "a NumPy array [row, col, y, x] or with channels; in floats 1 is white";
    format.extensions = {".npy"};
    format.detect = [](const fs::path& file, const IndexHints&) {
        constexpr std::size_t signature_length = 6;
        return is_file(file) && is_npy(read_bytes(file, signature_length));
    };
    format.index = [](const fs::path& file, const IndexHints& hints) {
        const NpyHeader header = parse_npy_header(file, read_bytes(file, longest_npy_header));
        const ViewAxes axes = axes_of(file, header.shape, hints.options);
        require_npy_length(file, header, double(fs::file_size(file)));
        return index_array(file, axes, header.element);
    };
    format.open = [](const LightFieldIndex& index) {
        std::error_code error;
        require_memory(index.path, "the array", double(fs::file_size(index.path, error)),
                       index.memory_limit);
        return npy_view_reader(index.path, read_bytes(index.path), same_grid(index));
    };
    format.write = [](const fs::path& file, const LightField& field,
                      const WriteLightField& options) {
        const DenseViews dense = dense_views(file, field, options.pixels, "npy");
        std::string bytes = format_npy_header(dense.shape, dense.element);
        bytes.append(dense.bytes.begin(), dense.bytes.end());
        write_output_file(file, bytes);
    };
    return format;
}

Image read_npy_map(const fs::path& file) {
    return decode_npy_map(file, read_bytes(file));
}

Image decode_npy_map(const fs::path& file, std::string bytes) {
    const NpyHeader header = parse_npy_header(file, bytes);
    const Shape& shape = header.shape;
    const bool is_map = shape.size() == 2 || (shape.size() == 3 && shape[2] == 1);
    if (!is_map || (header.element != Element::float32 && header.element != Element::float64))
        refuse_file(file,
                    fmt::format("a map must be an array [y, x] of float32 or float64, but its "
                                "shape is {}",
                                to_string(shape)),
                    kind);
    require_sane_size(file, shape[1], shape[0]);
    const NpyArray array = array_of(file, std::move(bytes));
    ViewAxes axes;
    axes.shape = shape;
    axes.y = 0, axes.x = 1;
    axes.grid = {0, 0, 1, 1};
    return stored_values_of(array.data(), header.element, axes, array.strides, 0);
}

NpyPictures read_npy_pictures(const fs::path& file) {
    return decode_npy_pictures(file, read_bytes(file));
}

NpyPictures decode_npy_pictures(const fs::path& file, std::string bytes) {
    const Shape shape = parse_npy_header(file, bytes).shape;
    constexpr std::int64_t longest_axis = 1000;  // grids of PSFs are far smaller
    const auto in_range = [](std::int64_t length) { return length >= 1 && length <= longest_axis; };
    if (shape.size() != 4 || !std::all_of(shape.begin(), shape.end(), in_range))
        refuse_file(file,
                    fmt::format("it must have four axes row, col, y and x of at most {} each, but "
                                "its shape is {}",
                                longest_axis, to_string(shape)),
                    kind);
    const NpyArray array = array_of(file, std::move(bytes));
    ViewAxes axes;
    axes.shape = shape;
    axes.row = 0, axes.col = 1, axes.y = 2, axes.x = 3;
    axes.grid = {0, 0, int(shape[0]), int(shape[1])};
    NpyPictures result{axes.grid.rows, axes.grid.cols, {}};
    for (int part = 0; part < result.rows * result.cols; ++part)
        result.pictures.push_back(
            view_of(array.data(), array.header.element, axes, array.strides, part));
    return result;
}

NpyNumbers decode_npy_numbers(const fs::path& file, std::string bytes, std::size_t most_axes) {
    const NpyHeader header = parse_npy_header(file, bytes);
    if (header.element != Element::float32 && header.element != Element::float64)
        refuse_file(file, "its elements must be float32 or float64", kind);
    if (header.shape.empty() || header.shape.size() > most_axes)
        refuse_file(file,
                    fmt::format("it must have 1 to {} axes, but its shape is {}", most_axes,
                                to_string(header.shape)),
                    kind);
    require_npy_length(file, header, double(bytes.size()));
    const std::size_t count = (bytes.size() - header.size) / size_of(header.element);
    require_memory(file, "the array", double(count) * (sizeof(double) + sizeof(float)),
                   memory_limit(0));
    const NpyArray array = array_of(file, std::move(bytes));
    NpyNumbers numbers{header.shape, std::vector<double>(count)};
    std::vector<std::int64_t> place(header.shape.size(), 0);
    std::int64_t at = 0;  // of the element at `place`
    for (double& value : numbers.values) {
        const char* from = array.data() + std::size_t(at) * size_of(header.element);
        if (header.element == Element::float32) {
            float stored = 0;
            std::memcpy(&stored, from, sizeof stored);
            value = double(stored);
        } else {
            std::memcpy(&value, from, sizeof value);
        }
        for (std::size_t axis = place.size(); axis-- > 0;) {
            at += array.strides[axis];
            if (++place[axis] < header.shape[axis]) break;
            at -= array.strides[axis] * header.shape[axis];
            place[axis] = 0;
        }
    }
    return numbers;
}

std::string encode_npy_map(const Image& map) {
    std::string bytes = format_npy_header({map.height, map.width}, Element::float32);
    bytes.append(reinterpret_cast<const char*>(map.values.data()),
                 map.values.size() * sizeof(float));
    return bytes;
}

}  // namespace plenosr::io
