#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/file_errors.h"
#include "base/output_batch.h"
#include "io/array_views.h"
#include "io/folder_layout.h"
#include "io/hdf5_file.h"
#include "io/hdf5_views.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "io/memory_limit.h"

// HDF5: the dataset LF holds all views. The HCI light fields of 2013 also store the depth,
// GT_DEPTH[row, col, y, x], and the camera as attributes. Their columns run from right to left, and
//   disparity = dH focalLength / depth - shift.
// PlenoSR stores the disparity itself: disparity[y, x] of the centre view, and
// view_disparity[row, col, y, x].

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* centre_map_dataset = "disparity";
constexpr const char* view_maps_dataset = "view_disparity";
constexpr const char* depth_dataset = "GT_DEPTH";
constexpr const char* first_row_key = "plenosr_first_row";
constexpr const char* first_col_key = "plenosr_first_col";

// The axes in the order that MATLAB and Python show: MATLAB stores them in reverse.
Shape in_logical_order(const Hdf5Dataset& dataset, Shape shape) {
    if (dataset.of_matlab) std::reverse(shape.begin(), shape.end());
    return shape;
}

const Hdf5Dataset& views_in(const fs::path& file, const Hdf5File& content) {
    if (const Hdf5Dataset* named = content.find("LF")) return *named;
    for (const Hdf5Dataset& dataset : content.datasets())
        if (!dataset.name.starts_with("GT_") && dataset.name != view_maps_dataset &&
            (dataset.shape.size() == 4 || dataset.shape.size() == 5))
            return dataset;
    refuse_file(file,
                "it holds no array LF of uint8, uint16 or floats, and no other array with four or "
                "five axes; links are not followed",
                hdf5_kind);
}

bool has_camera(const std::map<std::string, double>& attributes) {
    return attributes.contains("dH") && attributes.contains("focalLength") &&
           attributes.contains("shift");
}

// [y, x] of an array [row, col, y, x] or [y, x].
Image map_in(const fs::path& file, const Hdf5File& content, const Hdf5Dataset& dataset, int row,
             int col, std::uint64_t limit) {
    const Shape& shape = dataset.shape;
    const std::size_t axes = shape.size();
    const bool per_view = axes == 4;
    const bool fits = (axes == 2 || per_view) && (!per_view || (row < shape[0] && col < shape[1]));
    if (!fits || dataset.of_matlab)
        refuse_file(file,
                    fmt::format("its array {} has the shape {}, which does not fit the views",
                                dataset.name, to_string(shape)),
                    hdf5_kind);
    require_sane_size(file / dataset.name, shape[axes - 1], shape[axes - 2]);
    Shape start(axes, 0);
    Shape count = shape;
    if (per_view) {
        start[0] = row, start[1] = col;
        count[0] = count[1] = 1;
    }
    // The elements as they are stored, and as floats.
    require_memory(file, fmt::format("its array {}", dataset.name),
                   bytes_of(count, dataset.element) + bytes_of(count, Element::float32), limit);
    const std::vector<char> bytes = content.read(dataset, start, count);
    ViewAxes one_view;
    one_view.shape = {1, 1, shape[axes - 2], shape[axes - 1]};
    one_view.row = 0, one_view.col = 1, one_view.y = 2, one_view.x = 3;
    one_view.grid = {0, 0, 1, 1};
    return stored_values_of(bytes.data(), dataset.element, one_view,
                            strides_of(one_view.shape, false), 0);
}

Image read_map(const LightFieldIndex& index, const LightFieldIndex::Entry& entry) {
    const std::uint64_t limit = memory_limit(index.memory_limit);
    const Hdf5File content(index.path, limit);
    const int row = entry.part / index.stored_grid().cols;
    const int col = entry.part % index.stored_grid().cols;
    if (entry.position == index.grid.centre())
        if (const Hdf5Dataset* map = content.find(centre_map_dataset))
            return map_in(index.path, content, *map, 0, 0, limit);
    if (const Hdf5Dataset* maps = content.find(view_maps_dataset))
        return map_in(index.path, content, *maps, row, col, limit);
    const Hdf5Dataset* depths = content.find(depth_dataset);
    auto camera = content.attributes();
    if (depths == nullptr || !has_camera(camera))
        refuse_file(
            index.path,
            fmt::format("it holds no disparity map of the view {}", to_string(entry.position)),
            hdf5_kind);
    Image map = map_in(index.path, content, *depths, row, col, limit);
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
    if (!options.disparity.empty()) add_map(centre_map_dataset, options.disparity);
    std::vector<float> maps;
    if (!options.view_disparity.empty()) {
        LightField map_field = field;
        for (std::size_t i = 0; i < map_field.views.size(); ++i)
            map_field.views[i].image = options.view_disparity[i];
        const FullGrid full = full_grid(file, map_field, "hdf5");
        for (const Image* map : full.views)
            maps.insert(maps.end(), map->values.begin(), map->values.end());
        const Image& first = *full.views.front();
        if (maps.size() != full.views.size() * first.values.size())
            refuse_output(file, "the disparity maps differ in size", hdf5_kind);
        content.arrays.push_back({view_maps_dataset,
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
    write_output_file(file, encode_hdf5(file, content));
}

}  // namespace

IndexedViews index_hdf5(const fs::path& file, const IndexHints& hints) {
    const Hdf5File content(file, memory_limit(hints.options.memory_limit));
    const Hdf5Dataset& views = views_in(file, content);
    const ViewAxes axes = axes_of(file, in_logical_order(views, views.shape), hints.options);
    content.require_plausible(views);
    IndexedViews found = index_array(file, axes, views.element);
    const auto attributes = content.attributes();
    const bool hci = has_camera(attributes);
    const bool maps = content.find(view_maps_dataset) != nullptr ||
                      (hci && content.find(depth_dataset) != nullptr);
    const auto first_index = [&](const char* key) {
        const auto stored = attributes.find(key);
        const bool usable =
            stored != attributes.end() && std::abs(stored->second) <= farthest_position;
        return usable ? int(stored->second) : 0;
    };
    found.grid.first_row = first_index(first_row_key);
    found.grid.first_col = first_index(first_col_key);
    for (LightFieldIndex::Entry& entry : found.views) {
        if (hci) entry.position.col = found.grid.cols - 1 - entry.position.col;
        entry.position.row += found.grid.first_row;
        entry.position.col += found.grid.first_col;
        if (maps) entry.disparity = file;
    }
    if (content.find(centre_map_dataset) != nullptr) found.disparity = file;
    for (const auto& [name, value] : attributes)
        found.parameters["hdf5." + name] = fmt::format("{}", value);
    return found;
}

namespace {

// True if views are read from the file one by one, false if the whole array is read at once. The
// latter decodes every block once, even if several views share it, and spares the overhead of a
// call for each of many small views.
bool read_one_by_one(const Hdf5Dataset& views, const ViewAxes& axes, std::uint64_t limit) {
    // Chosen by reasoning, not tuned.
    constexpr double small_array_bytes = 1 << 26;
    constexpr double small_view_bytes = 1 << 16;
    constexpr double share_of_memory = 0.25;
    if (views.of_matlab) return false;  // the pixels of a view are scattered over the file
    for (const int axis : {axes.row, axes.col, axes.view})
        if (axis >= 0 && !views.chunk.empty() && views.chunk[std::size_t(axis)] > 1) return false;
    const double bytes = bytes_of(views.shape, views.element);
    const double of_view = bytes / (double(axes.grid.rows) * axes.grid.cols);
    return (bytes > small_array_bytes && of_view > small_view_bytes) ||
           bytes > share_of_memory * double(limit);
}

}  // namespace

ViewReader open_hdf5(const LightFieldIndex& index) {
    const std::uint64_t limit = memory_limit(index.memory_limit);
    const auto content = std::make_shared<const Hdf5File>(index.path, limit);
    const Hdf5Dataset views = views_in(index.path, *content);
    const ViewAxes axes =
        axes_of(index.path, in_logical_order(views, views.shape), same_grid(index));
    if (!read_one_by_one(views, axes, limit)) {
        const auto whole = std::make_shared<const std::vector<char>>(
            content->read(views, Shape(views.shape.size(), 0), views.shape));
        const Shape strides = strides_of(axes.shape, views.of_matlab);
        return [=](const LightFieldIndex::Entry& entry) {
            return view_of(whole->data(), views.element, axes, strides, entry.part);
        };
    }
    return [=](const LightFieldIndex::Entry& entry) {
        // One view: a block of length 1 along the axes of views.
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
        const std::vector<char> bytes = content->read(views, start, block.shape);
        return view_of(bytes.data(), views.element, block, strides_of(block.shape, false), 0);
    };
}

LightFieldFormat hdf5_format() {
    LightFieldFormat format;
    format.name = "hdf5";
    format.description = "an HDF5 file with the array LF, e.g. of HCI 2013";
    format.disparity = "GT_DEPTH, disparity, view_disparity";
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
