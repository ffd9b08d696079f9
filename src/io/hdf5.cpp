#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/atomic_file.h"
#include "io/array_views.h"
#include "io/folder_layout.h"
#include "io/hdf5_file.h"
#include "io/hdf5_views.h"
#include "plenosr/error.h"

// HDF5: the dataset LF holds all views. The HCI light fields of 2013 keep depth beside them,
// GT_DEPTH[row, col, y, x], and the camera in attributes; their columns run from right to left, and
//   disparity = dH focalLength / depth - shift.
// Files that PlenoSR writes keep disparity itself: disparity[y, x] of the centre view, and
// view_disparity[row, col, y, x].

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* centre_map = "disparity";
constexpr const char* view_maps = "view_disparity";
constexpr const char* depth_maps = "GT_DEPTH";
constexpr const char* first_row_key = "plenosr_first_row";
constexpr const char* first_col_key = "plenosr_first_col";

// As MATLAB and Python show it: MATLAB's files list the axes backwards.
Shape logical(const Hdf5Dataset& dataset, Shape shape) {
    if (dataset.of_matlab) std::reverse(shape.begin(), shape.end());
    return shape;
}

Hdf5Dataset views_in(const fs::path& file, const Hdf5File& content) {
    const auto all = content.datasets();
    for (const bool by_name : {true, false}) {
        for (const Hdf5Dataset& dataset : all) {
            const bool named = dataset.name == "LF";
            const bool other = !dataset.name.starts_with("GT_") && dataset.name != view_maps &&
                               (dataset.shape.size() == 4 || dataset.shape.size() == 5);
            if (by_name ? named : other) return dataset;
        }
    }
    throw Error(
        ErrorKind::input,
        fmt::format("The file {} holds no array LF of uint8, uint16 or floats, and no other "
                    "of four or five axes.",
                    file.string()));
}

std::optional<Hdf5Dataset> dataset_named(const Hdf5File& content, const std::string& name) {
    for (Hdf5Dataset& dataset : content.datasets())
        if (dataset.name == name) return dataset;
    return {};
}

bool has_camera(const std::map<std::string, double>& attributes) {
    return attributes.contains("dH") && attributes.contains("focalLength") &&
           attributes.contains("shift");
}

OpenOptions same_grid(const LightFieldIndex& index) {
    OpenOptions options;
    options.rows = index.grid.rows;
    options.cols = index.grid.cols;
    return options;
}

// [y, x] of an array [row, col, y, x] or [y, x].
Image map_in(const fs::path& file, const Hdf5File& content, const Hdf5Dataset& dataset, int row,
             int col) {
    const Shape& shape = dataset.shape;
    const std::size_t axes = shape.size();
    const bool per_view = axes == 4;
    constexpr std::int64_t longest = 1 << 16;
    const bool sane = (axes == 2 || per_view) && shape[axes - 1] >= 1 && shape[axes - 2] >= 1 &&
                      shape[axes - 1] <= longest && shape[axes - 2] <= longest &&
                      (!per_view || (row < shape[0] && col < shape[1]));
    if (!sane || dataset.of_matlab)
        throw Error(ErrorKind::input,
                    fmt::format("The array {} in {} has the shape [{}], which does not fit the "
                                "views.",
                                dataset.name, file.string(), fmt::join(shape, ", ")));
    Shape start(axes, 0);
    Shape count = shape;
    if (per_view) {
        start[0] = row, start[1] = col;
        count[0] = count[1] = 1;
    }
    const std::vector<char> bytes = content.read(dataset, start, count);
    ViewAxes flat;
    flat.shape = {1, 1, shape[axes - 2], shape[axes - 1]};
    flat.row = 0, flat.col = 1, flat.y = 2, flat.x = 3;
    flat.grid = {0, 0, 1, 1};
    Image map = view_of(bytes.data(), dataset.element, flat, c_strides(flat.shape), 0);
    for (float& value : map.values)
        value /= 255.0F;  // view_of brings pictures to 8-bit units
    return map;
}

Image read_map(const LightFieldIndex& index, const LightFieldIndex::Entry& entry) {
    const Hdf5File content(index.path);
    const int row = entry.part / index.grid.cols;
    const int col = entry.part % index.grid.cols;
    if (entry.position == index.grid.centre())
        if (const auto map = dataset_named(content, centre_map))
            return map_in(index.path, content, *map, 0, 0);
    if (const auto maps = dataset_named(content, view_maps))
        return map_in(index.path, content, *maps, row, col);
    const auto depths = dataset_named(content, depth_maps);
    auto camera = content.attributes();
    if (!depths || !has_camera(camera))
        throw Error(ErrorKind::input, fmt::format("The file {} holds no disparity map of the view "
                                                  "{}.",
                                                  index.path.string(), to_string(entry.position)));
    Image map = map_in(index.path, content, *depths, row, col);
    for (float& value : map.values)
        value = float(camera["dH"] * camera["focalLength"] / double(value) - camera["shift"]);
    return map;
}

void write(const fs::path& file, const LightField& field, const WriteLightField& options) {
    const DenseViews dense = dense_views(file, field, options.pixels, "hdf5");
    Hdf5Content content;
    Shape chunk = dense.shape;
    chunk[0] = chunk[1] = 1;
    content.arrays.push_back({"LF", dense.shape, dense.element, dense.bytes.data(), chunk});
    const auto add_map = [&](const char* name, const Image& map) {
        content.arrays.push_back(
            {name, {map.height, map.width}, Element::float32, map.values.data(), {}});
    };
    if (!options.disparity.empty()) add_map(centre_map, options.disparity);
    std::vector<float> maps;
    if (!options.view_disparity.empty()) {
        LightField of_maps = field;
        for (std::size_t i = 0; i < of_maps.views.size(); ++i)
            of_maps.views[i].image = options.view_disparity[i];
        const FullGrid full = full_grid(file, of_maps, "hdf5");
        for (const Image* map : full.views)
            maps.insert(maps.end(), map->values.begin(), map->values.end());
        const Image& first = *full.views.front();
        if (maps.size() != full.views.size() * first.values.size())
            throw Error(ErrorKind::output,
                        fmt::format("The file {} cannot be written: the disparity maps differ in "
                                    "size.",
                                    file.string()));
        content.arrays.push_back({view_maps,
                                  {full.grid.rows, full.grid.cols, first.height, first.width},
                                  Element::float32,
                                  maps.data(),
                                  {1, 1, first.height, first.width}});
    }
    content.attributes = {{first_row_key, dense.grid.first_row},
                          {first_col_key, dense.grid.first_col},
                          {"vRes", dense.grid.rows},
                          {"hRes", dense.grid.cols},
                          {"yRes", field.height()},
                          {"xRes", field.width()},
                          {"channels", field.channels()}};
    write_file_atomically(file, encode_hdf5(file, content));
}

}  // namespace

IndexedViews index_hdf5(const fs::path& file, const IndexHints& hints) {
    const Hdf5File content(file);
    const Hdf5Dataset views = views_in(file, content);
    const ViewAxes axes = axes_of(file, logical(views, views.shape), hints.options);
    IndexedViews found = index_array(file, axes, views.element);
    const auto attributes = content.attributes();
    const bool hci = has_camera(attributes);
    const bool maps =
        dataset_named(content, view_maps) || (hci && dataset_named(content, depth_maps));
    const auto number = [&](const char* key) {
        const auto told = attributes.find(key);
        constexpr double farthest = 10000;
        const bool sane = told != attributes.end() && std::abs(told->second) <= farthest;
        return sane ? int(told->second) : 0;
    };
    found.grid.first_row = number(first_row_key);
    found.grid.first_col = number(first_col_key);
    for (LightFieldIndex::Entry& entry : found.views) {
        if (hci) entry.position.col = found.grid.cols - 1 - entry.position.col;
        entry.position.row += found.grid.first_row;
        entry.position.col += found.grid.first_col;
        if (maps) entry.disparity = file;
    }
    if (dataset_named(content, centre_map)) found.disparity = file;
    for (const auto& [name, value] : attributes)
        found.parameters["hdf5." + name] = fmt::format("{}", value);
    return found;
}

ViewReader open_hdf5(const LightFieldIndex& index) {
    const auto content = std::make_shared<const Hdf5File>(index.path);
    const Hdf5Dataset views = views_in(index.path, *content);
    const ViewAxes axes = axes_of(index.path, logical(views, views.shape), same_grid(index));
    return [=](const LightFieldIndex::Entry& entry) {
        // A block with one index on the axes of views.
        ViewAxes block = axes;
        Shape start(axes.shape.size(), 0);
        const auto pick = [&](int axis, int at) {
            if (axis < 0) return;
            start[std::size_t(axis)] = at;
            block.shape[std::size_t(axis)] = 1;
        };
        pick(axes.row, entry.part / axes.grid.cols);
        pick(axes.col, entry.part % axes.grid.cols);
        pick(axes.view, entry.part);
        const std::vector<char> bytes =
            content->read(views, logical(views, start), logical(views, block.shape));
        const Shape strides =
            views.of_matlab ? fortran_strides(block.shape) : c_strides(block.shape);
        return view_of(bytes.data(), views.element, block, strides, 0);
    };
}

LightFieldFormat hdf5_format() {
    LightFieldFormat format;
    format.name = "hdf5";
    format.description = "an HDF5 file with the array LF (HCI 2013; its attributes are shown)";
    format.disparity = "GT_DEPTH with dH, focalLength, shift; disparity, view_disparity";
    format.extensions = {".h5", ".hdf5"};
    format.detect = [](const fs::path& file, const IndexHints&) {
        return is_hdf5(file) && !is_mat(file);
    };
    format.index = index_hdf5;
    format.open = open_hdf5;
    format.read_disparity = read_map;
    format.write = write;
    return format;
}

}  // namespace plenosr::io
