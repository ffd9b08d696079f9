#include <fmt/format.h>

#include <array>
#include <memory>

#include "base/file_errors.h"
#include "base/output_batch.h"
#include "io/array_views.h"
#include "io/folder_layout.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "io/sheet_geometry.h"

// One picture file with all views: pages of a TIFF, a contact sheet, or lenslets side by side.

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> sheet_extensions = {".png", ".tif", ".tiff", ".exr", ".pfm"};

// Lenslets of Lytro cameras in pixels per side: 14 in Stanford's archive, 15 as decoded by the
// Light Field Toolbox.
constexpr std::array lytro_lenslet_sides = {14, 15};
// With fewer lenslets per side, block_contrast() is not reliable. Chosen by reasoning, not tuned;
// pictures of lenslets in use have hundreds per side.
constexpr int fewest_lenslets = 8;

struct GridSize {
    int rows = 0;
    int cols = 0;
};

// The size of the lenslets, detected by their contrast; 0 if the picture has no lenslets.
GridSize lenslets_in(const fs::path& file, const OpenOptions& options) {
    const ImageInfo info = image_info(file);
    const auto divides = [&](GridSize size) {
        return info.width % size.cols == 0 && info.height % size.rows == 0 &&
               info.width >= fewest_lenslets * size.cols &&
               info.height >= fewest_lenslets * size.rows;
    };
    std::vector<GridSize> candidates;
    if (options.rows > 0)
        candidates.push_back({options.rows, options.cols});
    else
        for (const int side : lytro_lenslet_sides)
            candidates.push_back({side, side});
    Image sheet;
    for (const GridSize size : candidates) {
        if (!divides(size)) continue;
        if (sheet.empty()) sheet = read_image(file);
        if (block_contrast(sheet, size.rows, size.cols) > least_lenslet_contrast) return size;
    }
    return {};
}

// Views side by side, as published sets of Lytro Illum captures have them: 625x434 pixels (EPFL) or
// 541x376 (Stanford). The grid follows from such a size; 0 if the picture has another one.
constexpr std::array<std::array<int, 2>, 2> lytro_view_sizes = {{{625, 434}, {541, 376}}};
constexpr int most_lytro_views = 15;  // per side

GridSize mosaic_in(const fs::path& file) {
    const ImageInfo info = image_info(file);
    for (const auto& [width, height] : lytro_view_sizes) {
        const int cols = info.width / width;
        const int rows = info.height / height;
        if (cols * width == info.width && rows * height == info.height && rows == cols &&
            rows > 1 && rows <= most_lytro_views)
            return {rows, cols};
    }
    return {};
}

IndexedViews index_sheet(const fs::path& file, GridSize size, bool lenslets) {
    ImageInfo info = image_info(file);
    const SheetGeometry geometry =
        sheet_geometry(file, info.width, info.height, size.rows, size.cols, lenslets);
    require_few_places(file, geometry.grid);
    IndexedViews found;
    found.grid = geometry.grid;
    info.width = geometry.width;
    info.height = geometry.height;
    found.image = info;
    for (int part = 0; part < size.rows * size.cols; ++part)
        found.views.push_back({place_in_list(geometry.grid, std::size_t(part)), file, part, {}});
    return found;
}

std::function<ViewReader(const LightFieldIndex&)> open_sheet(bool lenslets) {
    return [lenslets](const LightFieldIndex& index) -> ViewReader {
        const auto sheet = std::make_shared<const Image>(read_image(index.path));
        const ViewGrid grid = index.stored_grid();
        const SheetGeometry geometry =
            sheet_geometry(index.path, sheet->width, sheet->height, grid.rows, grid.cols, lenslets);
        return [=](const LightFieldIndex::Entry& entry) {
            return view_from_sheet(*sheet, geometry, entry.part / geometry.grid.cols,
                                   entry.part % geometry.grid.cols);
        };
    };
}

void write_sheet(const fs::path& file, const LightField& field, const WriteLightField& options,
                 bool lenslets) {
    const FullGrid full = full_grid(file, field, lenslets ? "eslf" : "mosaic");
    const ViewGrid& grid = full.grid;
    if (std::int64_t(grid.cols) * field.width() > longest_side_px ||
        std::int64_t(grid.rows) * field.height() > longest_side_px)
        refuse_output(
            file,
            fmt::format("with {}x{} views of {}x{} pixels it would have more than {} "
                        "pixels per side",
                        grid.rows, grid.cols, field.width(), field.height(), longest_side_px),
            "picture");
    const SheetGeometry geometry{
        {0, 0, grid.rows, grid.cols}, field.width(), field.height(), lenslets};
    Image sheet(grid.cols * field.width(), grid.rows * field.height(), field.channels());
    for (std::size_t i = 0; i < full.views.size(); ++i)
        put_into_sheet(*full.views[i], geometry, int(i) / grid.cols, int(i) % grid.cols, sheet);
    write_output_file(file, encode_image(file, sheet, options.pixels));
}

bool is_picture(const fs::path& file) {
    return is_file(file) && looks_like_picture(file);
}

}  // namespace

LightFieldFormat pages_format() {
    LightFieldFormat format;
    format.name = "pages";
    format.description = "a TIFF with several pages: one row of views, or --grid RxC";
    format.extensions = {".tif", ".tiff"};
    format.detect = [](const fs::path& file, const IndexHints&) {
        return is_picture(file) && Pages(file).count() > 1;
    };
    format.index = [](const fs::path& file, const IndexHints& hints) {
        const auto pages = std::size_t(Pages(file).count());
        IndexedViews found;
        found.grid = grid_of_list(file, pages, hints.options);
        for (std::size_t i = 0; i < pages; ++i)
            found.views.push_back({place_in_list(found.grid, i), file, int(i), {}});
        return found;
    };
    format.open = [](const LightFieldIndex& index) {
        return [pages = Pages(index.path)](const LightFieldIndex::Entry& entry) {
            return pages.read(entry.part);
        };
    };
    return format;
}

LightFieldFormat eslf_format() {
    LightFieldFormat format;
    format.name = "eslf";
    format.description = "a picture of lenslets: 14x14, 15x15 or --grid RxC (Lytro)";
    format.extensions = sheet_extensions;
    format.detect = [](const fs::path& file, const IndexHints& hints) {
        return is_picture(file) && lenslets_in(file, hints.options).rows > 0;
    };
    format.index = [](const fs::path& file, const IndexHints& hints) {
        GridSize size{hints.options.rows, hints.options.cols};
        if (size.rows == 0) size = lenslets_in(file, hints.options);
        if (size.rows == 0) size = {lytro_lenslet_sides[0], lytro_lenslet_sides[0]};
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
    format.description = "a picture with the views side by side, --grid RxC";
    format.extensions = sheet_extensions;
    format.detect = [](const fs::path& file, const IndexHints&) { return is_picture(file); };
    format.index = [](const fs::path& file, const IndexHints& hints) {
        GridSize size{hints.options.rows, hints.options.cols};
        if (size.rows == 0) size = mosaic_in(file);
        if (size.rows == 0)
            refuse_file(file,
                        "it is one picture; if its views are side by side or in lenslets, give the "
                        "rows and columns of views with --grid RxC",
                        "light field");
        return index_sheet(file, size, false);
    };
    format.open = open_sheet(false);
    format.write = [](const fs::path& file, const LightField& field,
                      const WriteLightField& options) { write_sheet(file, field, options, false); };
    return format;
}

}  // namespace plenosr::io
