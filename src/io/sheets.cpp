#include <fmt/format.h>

#include <array>
#include <memory>

#include "base/atomic_file.h"
#include "io/array_views.h"
#include "io/folder_layout.h"
#include "io/image_file.h"
#include "io/tiled_geometry.h"
#include "plenosr/error.h"

// One picture file with all views: pages of a TIFF, a contact sheet, or lenslets side by side.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> sheet_extensions = {".png", ".tif", ".tiff", ".exr", ".pfm"};

// Lytro's cameras: 14 x 14 in Stanford's archive, 15 x 15 as the toolbox decodes them.
constexpr std::array usual_lenslets = {14, 15};

struct GridSize {
    int rows = 0;
    int cols = 0;
};

// The size of the lenslets that the picture consists of, found by looking; 0 if it has none.
GridSize lenslets_in(const fs::path& file, const OpenOptions& options) {
    constexpr int fewest = 8;  // lenslets a side
    const ImageInfo info = image_info(file);
    const auto divides = [&](GridSize size) {
        return info.width % size.cols == 0 && info.height % size.rows == 0 &&
               info.width >= fewest * size.cols && info.height >= fewest * size.rows;
    };
    std::vector<GridSize> candidates;
    if (options.rows > 0)
        candidates.push_back({options.rows, options.cols});
    else
        for (const int side : usual_lenslets)
            candidates.push_back({side, side});
    Image sheet;
    for (const GridSize size : candidates) {
        if (!divides(size)) continue;
        if (sheet.empty()) sheet = read_image(file);
        if (block_contrast(sheet, size.rows, size.cols) > lenslet_contrast) return size;
    }
    return {};
}

IndexedViews index_sheet(const fs::path& file, GridSize size, bool lenslets) {
    ImageInfo info = image_info(file);
    const Tiling tiling = tiling_of(file, info.width, info.height, size.rows, size.cols, lenslets);
    IndexedViews found;
    found.grid = tiling.grid;
    info.width = tiling.width;
    info.height = tiling.height;
    found.image = info;
    for (int part = 0; part < size.rows * size.cols; ++part)
        found.views.push_back({place_in_list(tiling.grid, std::size_t(part)), file, part, {}});
    return found;
}

std::function<ViewReader(const LightFieldIndex&)> open_sheet(bool lenslets) {
    return [lenslets](const LightFieldIndex& index) -> ViewReader {
        const auto sheet = std::make_shared<const Image>(read_image(index.path));
        const Tiling tiling = tiling_of(index.path, sheet->width, sheet->height, index.grid.rows,
                                        index.grid.cols, lenslets);
        return [=](const LightFieldIndex::Entry& entry) {
            return view_from_sheet(*sheet, tiling, entry.part / tiling.grid.cols,
                                   entry.part % tiling.grid.cols);
        };
    };
}

void write_sheet(const fs::path& file, const LightField& field, const WriteLightField& options,
                 bool lenslets) {
    const FullGrid full = full_grid(file, field, lenslets ? "eslf" : "mosaic");
    const ViewGrid& grid = full.grid;
    constexpr std::int64_t longest = 1 << 16;
    if (std::int64_t(grid.cols) * field.width() > longest ||
        std::int64_t(grid.rows) * field.height() > longest)
        throw Error(ErrorKind::output,
                    fmt::format("The picture {} cannot be written: {}x{} views of {}x{} pixels "
                                "make a side longer than {} pixels.",
                                file.string(), grid.rows, grid.cols, field.width(), field.height(),
                                longest));
    const Tiling tiling{{0, 0, grid.rows, grid.cols}, field.width(), field.height(), lenslets};
    Image sheet(grid.cols * field.width(), grid.rows * field.height(), field.channels());
    for (std::size_t i = 0; i < full.views.size(); ++i)
        put_into_sheet(*full.views[i], tiling, int(i) / grid.cols, int(i) % grid.cols, sheet);
    write_file_atomically(file, encode_image(file, sheet, options.pixels));
}

bool is_one_picture(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && looks_like_picture(file);
}

}  // namespace

LightFieldFormat pages_format() {
    LightFieldFormat format;
    format.name = "pages";
    format.description = "a TIFF of several pages: one row of views, or --grid RxC of them";
    format.extensions = {".tif", ".tiff"};
    format.detect = [](const fs::path& file, const IndexHints&) {
        return is_one_picture(file) && page_count(file) > 1;
    };
    format.index = [](const fs::path& file, const IndexHints& hints) {
        const auto pages = std::size_t(page_count(file));
        IndexedViews found;
        found.grid = grid_of_list(file, pages, hints.options);
        for (std::size_t i = 0; i < pages; ++i)
            found.views.push_back({place_in_list(found.grid, i), file, int(i), {}});
        return found;
    };
    format.open = [](const LightFieldIndex&) {
        return
            [](const LightFieldIndex::Entry& entry) { return read_page(entry.file, entry.part); };
    };
    return format;
}

LightFieldFormat eslf_format() {
    LightFieldFormat format;
    format.name = "eslf";
    format.description =
        "one picture of lenslets of 14x14 or 15x15 pixels, or --grid RxC of them (Lytro ESLF)";
    format.extensions = sheet_extensions;
    format.detect = [](const fs::path& file, const IndexHints& hints) {
        return is_one_picture(file) && lenslets_in(file, hints.options).rows > 0;
    };
    format.index = [](const fs::path& file, const IndexHints& hints) {
        GridSize size{hints.options.rows, hints.options.cols};
        if (size.rows == 0) size = lenslets_in(file, hints.options);
        if (size.rows == 0) size = {usual_lenslets[0], usual_lenslets[0]};
        return index_sheet(file, size, true);
    };
    format.open = open_sheet(true);
    format.write = [](const fs::path& file, const LightField& field,
                      const WriteLightField& options) { write_sheet(file, field, options, true); };
    return format;
}

LightFieldFormat mosaic_format() {
    LightFieldFormat format;
    format.name = "mosaic";
    format.description = "one picture with the views side by side, --grid RxC of them";
    format.extensions = sheet_extensions;
    format.detect = [](const fs::path& file, const IndexHints&) { return is_one_picture(file); };
    format.index = [](const fs::path& file, const IndexHints& hints) {
        if (hints.options.rows == 0)
            throw Error(ErrorKind::input,
                        fmt::format("{} is one picture; if it holds a light field side by side or "
                                    "as lenslets, tell its rows and columns of views by --grid "
                                    "RxC.",
                                    file.string()));
        return index_sheet(file, {hints.options.rows, hints.options.cols}, false);
    };
    format.open = open_sheet(false);
    format.write = [](const fs::path& file, const LightField& field,
                      const WriteLightField& options) { write_sheet(file, field, options, false); };
    return format;
}

}  // namespace plenosr::io
