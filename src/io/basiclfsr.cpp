#include <fmt/format.h>

#include <memory>

#include "base/file_errors.h"
#include "io/folder_layout.h"
#include "io/hdf5_file.h"
#include "io/memory_limit.h"
#include "io/mosaic_array.h"

// The test files of the BasicLFSR toolbox: HDF5 with the luma of all views in one picture, side by
// side. Lr_SAI_y has the reduced views, Hr_SAI_y the originals. MATLAB wrote them column by column,
// so that the first axis of the file is x (mosaic_array.h).

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* low_array = "Lr_SAI_y";
constexpr const char* high_array = "Hr_SAI_y";
constexpr int usual_side = 5;  // views per row and column that the toolbox writes

const Hdf5Dataset* mosaic_named(const Hdf5File& content, const std::string& name) {
    const Hdf5Dataset* found = content.find(name);
    return found != nullptr && found->shape.size() == 2 ? found : nullptr;
}

const Hdf5Dataset& mosaic_in(const fs::path& file, const Hdf5File& content,
                             const std::string& name) {
    if (const Hdf5Dataset* found = mosaic_named(content, name)) {
        content.require_plausible(*found);
        return *found;
    }
    refuse_file(file, fmt::format("it holds no array {} with two axes of numbers", name),
                hdf5_kind);
}

IndexedViews index_mosaic(const fs::path& file, const OpenOptions& options,
                          const std::string& name) {
    const Hdf5File content(file, memory_limit(options.memory_limit));
    const Hdf5Dataset& mosaic = mosaic_in(file, content, name);
    const SheetGeometry geometry = mosaic_geometry(file, name, mosaic.shape, options, usual_side);
    IndexedViews found;
    found.grid = geometry.grid;
    found.image = ImageInfo{geometry.width, geometry.height, 1, pixel_format(mosaic.element)};
    for (int part = 0; part < found.grid.rows * found.grid.cols; ++part)
        found.views.push_back({place_in_list(found.grid, std::size_t(part)), file, part, {}});
    return found;
}

ViewReader open_mosaic(const LightFieldIndex& index, const std::string& name) {
    const auto content =
        std::make_shared<const Hdf5File>(index.path, memory_limit(index.memory_limit));
    const Hdf5Dataset mosaic = mosaic_in(index.path, *content, name);
    const SheetGeometry geometry =
        mosaic_geometry(index.path, name, mosaic.shape, same_grid(index), usual_side);
    return [=](const LightFieldIndex::Entry& entry) {
        const auto [start, count] = block_of(geometry, entry.part);
        const std::vector<char> bytes = content->read(mosaic, start, count);
        return view_of_block(bytes.data(), mosaic.element, geometry);
    };
}

LightFieldFormat format_of(const std::string& format_name, const std::string& array,
                           const std::string& content) {
    LightFieldFormat format;
    format.name = format_name;
    format.description =
        fmt::format("an HDF5 file of BasicLFSR: {} views in {}, 5x5 or --grid RxC", content, array);
    format.extensions = {".h5", ".hdf5"};
    format.detect = [array](const fs::path& file, const IndexHints& hints) {
        if (!is_hdf5(file)) return false;
        const Hdf5File hdf5(file, memory_limit(hints.options.memory_limit));
        return mosaic_named(hdf5, array) != nullptr;
    };
    format.index = [array](const fs::path& file, const IndexHints& hints) {
        return index_mosaic(file, hints.options, array);
    };
    format.open = [array](const LightFieldIndex& index) { return open_mosaic(index, array); };
    return format;
}

}  // namespace

LightFieldFormat basiclfsr_format() {
    return format_of("basiclfsr", low_array, "the reduced");
}

LightFieldFormat basiclfsr_hr_format() {
    return format_of("basiclfsr_hr", high_array, "the original");
}

}  // namespace plenosr::io
